import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { textsOf, useEdited } from '../edited'
import { Form, Text } from '../form'
import {
  CreateTopicDocument,
  DeleteTopicDocument,
  SubscribeDocument,
  TopicDocument,
  type TopicQuery,
  TopicSubscriptionsDocument,
  TopicsDocument,
  UnsubscribeDocument,
  UpdateTopicDocument,
} from '../gql'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { Card, Failure, Load, Page, Pager, Status, Table, Time } from '../ui'

export function Topics() {
  const { get, set } = useFilters()
  const text = get('key')
  const pager = usePager()
  const query = useQuery(TopicsDocument, { ...pager.variables, filter: { keyContains: text || undefined } })
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title={t('nav.topics')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('topics.newTopic')}
          </Button>
        </May>
      }
    >
      <Card>
        <Text label={t('topics.keyContains')} value={text} onChange={set('key')} />
      </Card>
      <Card>
        <Load of={query}>
          {({ topics }) => (
            <>
              <Table
                filtered={text !== ''}
                label={t('nav.topics')}
                rows={topics.nodes}
                id={(topic) => topic.id}
                columns={[
                  {
                    name: t('common.key'),
                    cell: (topic) => <Link href={`/topics/${encodeURIComponent(topic.key)}`}>{topic.key}</Link>,
                  },
                  { name: t('common.name'), cell: (topic) => topic.name ?? '–' },
                  { name: t('common.created'), cell: (topic) => <Time at={topic.createdAt} /> },
                ]}
              />
              <Pager label={t('nav.topics')} pager={pager} info={topics.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

function New({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState('')
  const [name, setName] = useState('')
  const [, go] = useLocation()
  const create = useAction(CreateTopicDocument, (r) => go(`/topics/${encodeURIComponent(r.createTopic.topic.key)}`))
  return (
    <Dialog title={t('topics.newTopic')} onClose={onClose}>
      <Form
        submit={t('common.create')}
        action={create}
        onSubmit={() => create.run({ input: { key, name: name || undefined } })}
      >
        <Text label={t('common.key')} at="key" value={key} onChange={setKey} required />
        <Text label={t('common.name')} at="name" value={name} onChange={setName} />
      </Form>
    </Dialog>
  )
}

type Topic = TopicQuery['topicByKey']

function Settings({ of: topic, reload }: { of: Topic; reload: () => void }) {
  const form = useEdited({
    of: topic,
    valuesOf: ({ name }: Topic) => ({ name: name ?? '' }),
    read: () => request(TopicDocument, { key: topic.key }).then((r) => r.topicByKey),
    send: (changes) => request(UpdateTopicDocument, { input: { id: topic.id, ...textsOf(changes) } }),
    onSaved: reload,
  })
  return (
    <Form submit={t('common.save')} action={form} onSubmit={form.save}>
      <Text label={t('common.key')} value={topic.key} onChange={() => {}} readOnly />
      <Text label={t('common.name')} at="name" value={form.values.name} onChange={(name) => form.set({ name })} />
      <Status>{form.saved && t('common.saved')}</Status>
    </Form>
  )
}

export function TopicPage({ topicKey }: { topicKey: string }) {
  const query = useQuery(TopicDocument, { key: topicKey })
  const pager = usePager()
  const list = useQuery(TopicSubscriptionsDocument, { key: topicKey, ...pager.variables })
  const [, go] = useLocation()
  const remove = useAction(DeleteTopicDocument, () => go('/topics'))
  const [refused, setRefused] = useState<Error>()
  const subscribe = useAction(SubscribeDocument, (r) => {
    const [first] = r.createSubscriptions.errors
    setRefused(first && new Error(`${first.subscriberId}: ${first.message}`))
    if (!first) setSubscriber('')
    list.reload()
  })
  const unsubscribe = useAction(UnsubscribeDocument, list.reload)
  const [subscriber, setSubscriber] = useState('')
  return (
    <Load of={query} title={topicKey}>
      {({ topicByKey: topic }) => (
        <Page
          title={topic.name || topic.key}
          actions={
            <Confirm
              label={t('common.delete')}
              question={t('topics.deleteTheTopicKeyWith', { key: topic.key })}
              busy={remove.busy}
              onConfirm={() => remove.run({ id: topic.id })}
            />
          }
        >
          <Failure error={remove.error ?? unsubscribe.error} />
          <div className="cols">
            <Card title={t('common.topic')}>
              <Settings of={topic} reload={query.reload} key={topic.id} />
            </Card>
            <May>
              <Card title={t('topics.addASubscriber')}>
                <Form
                  submit={t('topics.subscribe')}
                  action={{ busy: subscribe.busy, error: subscribe.error ?? refused }}
                  onSubmit={() =>
                    subscribe.run({ input: { topicKey: topic.key, subscriptions: [{ subscriberId: subscriber }] } })
                  }
                >
                  <Text
                    label={t('common.subscriber')}
                    at="subscriptions"
                    value={subscriber}
                    onChange={setSubscriber}
                    required
                  />
                </Form>
              </Card>
            </May>
          </div>
          <Card title={t('common.subscriptions')}>
            <Load of={list}>
              {({ subscriptions }) => (
                <>
                  <Table
                    label={t('common.subscriptions')}
                    rows={subscriptions.nodes}
                    id={(s) => s.id}
                    columns={[
                      {
                        name: t('common.subscriber'),
                        cell: (s) =>
                          s.subscriber && (
                            <Link href={`/subscribers/${encodeURIComponent(s.subscriber.subscriberId)}`}>
                              {s.subscriber.subscriberId}
                            </Link>
                          ),
                      },
                      { name: t('common.subscription'), cell: (s) => <code>{s.identifier}</code> },
                      { name: t('common.context'), cell: (s) => s.contextKeys.join(', ') || '–' },
                      { name: t('common.since'), cell: (s) => <Time at={s.createdAt} /> },
                      {
                        name: '',
                        cell: (s) => (
                          <May>
                            <Button
                              disabled={unsubscribe.busy}
                              onClick={() =>
                                unsubscribe.run({
                                  input: { topicKey: topic.key, subscriptions: [{ identifier: s.identifier }] },
                                })
                              }
                            >
                              {t('topics.unsubscribe')}
                            </Button>
                          </May>
                        ),
                      },
                    ]}
                  />
                  <Pager label={t('common.subscriptions')} pager={pager} info={subscriptions.pageInfo} />
                </>
              )}
            </Load>
          </Card>
        </Page>
      )}
    </Load>
  )
}
