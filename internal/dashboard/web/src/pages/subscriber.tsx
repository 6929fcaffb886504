import { useLocation } from 'wouter'
import { request, useAction, useQuery } from '../api'
import { jsonOf, jsonText, textsOf, useEdited } from '../edited'
import { JSONText } from '../editor/json'
import { Form, Text } from '../form'
import { DeleteSubscriberDocument, SubscriberDocument, UpdateSubscriberDocument } from '../gql'
import { discard } from '../marks'
import { Confirm } from '../overlay'
import { type ProfileField, profileFields } from '../profile'
import type { Subscriber } from '../records'
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

const profileOf = (s: Subscriber) => ({
  ...(Object.fromEntries(profileFields.map((name) => [name, s[name] ?? ''])) as Record<ProfileField, string>),
  data: jsonText(s.data),
})

function Profile({ s, reload }: { s: Subscriber; reload: () => void }) {
  const form = useEdited({
    of: s,
    valuesOf: profileOf,
    read: () => request(SubscriberDocument, { subscriberId: s.subscriberId }).then((r) => r.subscriberBySubscriberId),
    send: ({ data, ...texts }) =>
      request(UpdateSubscriberDocument, {
        input: { id: s.id, ...textsOf(texts), ...jsonOf({ data }, t('common.data')) },
      }),
    onSaved: reload,
  })
  return (
    <div className="cols">
      <Card title={t('subscriber.profile')}>
        <Form submit={t('common.save')} action={form} onSubmit={form.save}>
          {profileFields.map((name) => (
            <Text
              key={name}
              label={t(`subscriber.field.${name}`)}
              at={name}
              value={form.values[name]}
              onChange={(v) => form.set({ [name]: v })}
            />
          ))}
          <JSONText
            label={t('common.data')}
            at="data"
            lines={4}
            value={form.values.data}
            onChange={(data) => form.set({ data })}
          />
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
