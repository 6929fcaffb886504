import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { Form, Text } from '../form'
import {
  CreateTopicDocument,
  DeleteTopicDocument,
  SubscribeDocument,
  TopicDocument,
  TopicSubscriptionsDocument,
  TopicsDocument,
  UnsubscribeDocument,
  UpdateTopicDocument,
} from '../gql'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { Card, Failure, Load, Page, Pager, Status, Table, Time } from '../ui'

export function Topics() {
  const { get, set } = useFilters()
  const text = get('key')
  const pager = usePager()
  const query = useQuery(TopicsDocument, { ...pager.variables, filter: { keyContains: text || undefined } })
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title="Topics"
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            New topic
          </Button>
        </May>
      }
    >
      <Card>
        <Text label="Key contains" value={text} onChange={set('key')} />
      </Card>
      <Card>
        <Load of={query}>
          {({ topics }) => (
            <>
              <Table
                filtered={text !== ''}
                label="Topics"
                rows={topics.nodes}
                id={(t) => t.id}
                columns={[
                  { name: 'Key', cell: (t) => <Link href={`/topics/${encodeURIComponent(t.key)}`}>{t.key}</Link> },
                  { name: 'Name', cell: (t) => t.name ?? '–' },
                  { name: 'Created', cell: (t) => <Time at={t.createdAt} /> },
                ]}
              />
              <Pager pager={pager} info={topics.pageInfo} />
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
    <Dialog title="New topic" onClose={onClose}>
      <Form submit="Create" action={create} onSubmit={() => create.run({ input: { key, name: name || undefined } })}>
        <Text label="Key" at="key" value={key} onChange={setKey} required />
        <Text label="Name" at="name" value={name} onChange={setName} />
      </Form>
    </Dialog>
  )
}

export function TopicPage({ topicKey }: { topicKey: string }) {
  const query = useQuery(TopicDocument, { key: topicKey })
  const pager = usePager()
  const list = useQuery(TopicSubscriptionsDocument, { key: topicKey, ...pager.variables })
  const [, go] = useLocation()
  const [saved, setSaved] = useState(false)
  const rename = useAction(UpdateTopicDocument, () => {
    setSaved(true)
    query.reload()
  })
  const remove = useAction(DeleteTopicDocument, () => go('/topics'))
  const [refused, setRefused] = useState<Error>()
  const subscribe = useAction(SubscribeDocument, (r) => {
    const [first] = r.createSubscriptions.errors
    setRefused(first && new Error(`${first.subscriberId}: ${first.message}`))
    if (!first) setSubscriber('')
    list.reload()
  })
  const unsubscribe = useAction(UnsubscribeDocument, list.reload)
  const [name, setName] = useState<string>()
  const [subscriber, setSubscriber] = useState('')
  return (
    <Load of={query}>
      {({ topicByKey: t }) => (
        <Page
          title={t.name || t.key}
          actions={
            <Confirm
              label="Delete"
              question={`Delete the topic ${t.key} with its subscriptions?`}
              busy={remove.busy}
              onConfirm={() => remove.run({ id: t.id })}
            />
          }
        >
          <Failure error={remove.error ?? unsubscribe.error} />
          <div className="cols">
            <Card title="Topic">
              <Form
                submit="Save"
                action={rename}
                onSubmit={() => {
                  setSaved(false)
                  void rename.run({ input: { id: t.id, name: name ?? t.name } })
                }}
              >
                <Text label="Key" value={t.key} onChange={() => {}} readOnly />
                <Text label="Name" at="name" value={name ?? t.name ?? ''} onChange={setName} />
                <Status>{saved && 'Saved.'}</Status>
              </Form>
            </Card>
            <May>
              <Card title="Add a subscriber">
                <Form
                  submit="Subscribe"
                  action={{ busy: subscribe.busy, error: subscribe.error ?? refused }}
                  onSubmit={() =>
                    subscribe.run({ input: { topicKey: t.key, subscriptions: [{ subscriberId: subscriber }] } })
                  }
                >
                  <Text label="Subscriber" at="subscriptions" value={subscriber} onChange={setSubscriber} required />
                </Form>
              </Card>
            </May>
          </div>
          <Card title="Subscriptions">
            <Load of={list}>
              {({ subscriptions }) => (
                <>
                  <Table
                    label="Subscriptions"
                    rows={subscriptions.nodes}
                    id={(s) => s.id}
                    columns={[
                      {
                        name: 'Subscriber',
                        cell: (s) =>
                          s.subscriber && (
                            <Link href={`/subscribers/${encodeURIComponent(s.subscriber.subscriberId)}`}>
                              {s.subscriber.subscriberId}
                            </Link>
                          ),
                      },
                      { name: 'Subscription', cell: (s) => <code>{s.identifier}</code> },
                      { name: 'Context', cell: (s) => s.contextKeys.join(', ') || '–' },
                      { name: 'Since', cell: (s) => <Time at={s.createdAt} /> },
                      {
                        name: '',
                        cell: (s) => (
                          <May>
                            <Button
                              disabled={unsubscribe.busy}
                              onClick={() =>
                                unsubscribe.run({
                                  input: { topicKey: t.key, subscriptions: [{ identifier: s.identifier }] },
                                })
                              }
                            >
                              Unsubscribe
                            </Button>
                          </May>
                        ),
                      },
                    ]}
                  />
                  <Pager pager={pager} info={subscriptions.pageInfo} />
                </>
              )}
            </Load>
          </Card>
        </Page>
      )}
    </Load>
  )
}
