import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction, useQuery } from '../api'
import { JSONText } from '../editor/json'
import { parseJSON } from '../errors'
import { Form, Text } from '../form'
import { DeleteSubscriberDocument, SubscriberDocument, UpdateSubscriberDocument } from '../gql'
import { discard } from '../marks'
import { Confirm } from '../overlay'
import { profileFields } from '../profile'
import type { Subscriber } from '../records'
import { useKept } from '../saved'
import { t } from '../text/text'
import { Card, Facts, Failure, Load, Page, Status, Table, Tabs, Time } from '../ui'
import { Hours } from './hours'
import { Preferences } from './preferences'
import { History, Privacy } from './subscriber-data'
import { Messages, Subscriptions } from './subscriber-lists'

export function SubscriberPage({ id, tab }: { id: string; tab: string }) {
  const query = useQuery(SubscriberDocument, { subscriberId: id })
  const [, go] = useLocation()
  const remove = useAction(DeleteSubscriberDocument, () => {
    discard()
    go('/subscribers')
  })
  const base = `/subscribers/${encodeURIComponent(id)}`
  return (
    <Load of={query} title={id}>
      {({ subscriberBySubscriberId: s }) => (
        <Page
          title={s.subscriberId}
          actions={
            <Confirm
              label={t('common.delete')}
              question={t('subscriber.deleteTheSubscriberSubscriberId', { subscriberId: s.subscriberId })}
              busy={remove.busy}
              onConfirm={() => remove.run({ id: s.id })}
            />
          }
        >
          <Failure error={remove.error} />
          <Tabs
            label={t('common.subscriber')}
            current={tab}
            tabs={[
              ['Profile', t('subscriber.tab.Profile'), base],
              ['Preferences', t('subscriber.tab.Preferences'), `${base}/preferences`],
              ['Subscriptions', t('common.subscriptions'), `${base}/subscriptions`],
              ['Messages', t('subscriber.tab.Messages'), `${base}/messages`],
              ['History', t('subscriber.tab.History'), `${base}/history`],
            ]}
          />
          {tab === 'Profile' && <Profile s={s} reload={query.reload} />}
          {tab === 'Preferences' && <Preferences id={id} />}
          {tab === 'Subscriptions' && <Subscriptions id={id} />}
          {tab === 'Messages' && <Messages id={id} />}
          {tab === 'History' && <History id={id} />}
        </Page>
      )}
    </Load>
  )
}

function Profile({ s, reload }: { s: Subscriber; reload: () => void }) {
  const [values, setValues] = useState(() => Object.fromEntries(profileFields.map((name) => [name, s[name] ?? ''])))
  const [data, setData] = useState(s.data ? JSON.stringify(s.data, null, 2) : '')
  const [error, setError] = useState<Error>()
  const form = useKept({ values, data })
  const update = useAction(UpdateSubscriberDocument, () => {
    form.keep()
    reload()
  })
  const submit = () => {
    try {
      const profile = Object.fromEntries(profileFields.map((name) => [name, values[name] || null]))
      setError(undefined)
      void update.run({ input: { id: s.id, ...profile, data: parseJSON(data, t('common.data'), 'data') } })
    } catch (e) {
      setError(e as Error)
    }
  }
  return (
    <div className="cols">
      <Card title={t('subscriber.profile')}>
        <Form submit={t('common.save')} action={{ busy: update.busy, error: error ?? update.error }} onSubmit={submit}>
          {profileFields.map((name) => (
            <Text
              key={name}
              label={t(`subscriber.field.${name}`)}
              at={name}
              value={values[name] ?? ''}
              onChange={(v) => setValues({ ...values, [name]: v })}
            />
          ))}
          <JSONText label={t('common.data')} at="data" lines={4} value={data} onChange={setData} />
          <Status>{form.saved && t('common.saved')}</Status>
        </Form>
      </Card>
      <div className="stack">
        <Card title={t('common.details')}>
          <Facts
            of={{
              [t('subscriber.record')]: <code>{s.internalId}</code>,
              [t('subscriber.online')]: s.isOnline ? t('common.yes') : t('common.no'),
              [t('subscriber.lastOnline')]: <Time at={s.lastOnlineAt} />,
              [t('common.created')]: <Time at={s.createdAt} />,
              [t('common.changed')]: <Time at={s.updatedAt} />,
            }}
          />
        </Card>
        <Card title={t('subscriber.channelEndpoints')}>
          <Table
            label={t('subscriber.channelEndpoints')}
            rows={s.channels?.nodes ?? []}
            id={(c) => c.id}
            empty={t('subscriber.noChannelEndpoints')}
            columns={[
              { name: t('common.provider'), cell: (c) => c.providerId },
              {
                name: t('subscriber.endpoint'),
                cell: (c) =>
                  [c.credentials.webhookUrl, c.credentials.channel, ...(c.credentials.deviceTokens ?? [])]
                    .filter(Boolean)
                    .join(', '),
              },
            ]}
          />
        </Card>
        <Hours s={s} reload={reload} />
        <Privacy id={s.subscriberId} />
      </div>
    </div>
  )
}
