import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useAction, useQuery } from '../api'
import {
  CreateSubscriberDocument, DeleteSubscriberDocument, MessagesDocument, PreferencesDocument, SetGlobalPreferencesDocument, SubscriberDocument, SubscriberSubscriptionsDocument, SubscribersDocument,
  UpdatePreferencesDocument, UpdateSubscriberDocument, type ChannelPreferencesInput, type PreferenceSource, type SubscriberQuery,
} from '../gql'
import { Badge, Card, Confirm, Dialog, Facts, Failure, Form, JSONView, Load, Page, Pager, Table, Tabs, Text, Time, parseJSON, usePager, words } from '../ui'
import { channelFields } from './definition'
import { messageTones } from './trace'

export function Subscribers() {
  const [params, setParams] = useSearchParams()
  const get = (name: string) => params.get(name) ?? ''
  const set = (name: string) => (value: string) =>
    setParams((p) => {
      value ? p.set(name, value) : p.delete(name)
      return p
    }, { replace: true })
  const filter = { deleted: false, subscriberIdIn: get('id') ? [get('id')] : undefined, email: get('email') || undefined, nameContains: get('name') || undefined }
  const pager = usePager(JSON.stringify(filter))
  const query = useQuery(SubscribersDocument, { first: 25, after: pager.after, filter })
  const [creating, setCreating] = useState(false)
  return (
    <Page title="Subscribers" actions={<button className="main" onClick={() => setCreating(true)}>New subscriber</button>}>
      <Card>
        <form className="filters" role="search" aria-label="Subscribers" onSubmit={(e) => e.preventDefault()}>
          <Text label="Identifier" value={get('id')} onChange={set('id')} />
          <Text label="E-mail address" value={get('email')} onChange={set('email')} />
          <Text label="Name contains" value={get('name')} onChange={set('name')} />
        </form>
      </Card>
      <Card>
        <Load of={query}>
          {({ subscribers }) => (
            <>
              <Table
                label="Subscribers"
                rows={subscribers.nodes}
                id={(s) => s.id}
                columns={[
                  { name: 'Identifier', cell: (s) => <Link href={`/subscribers/${encodeURIComponent(s.subscriberId)}`}>{s.subscriberId}</Link> },
                  { name: 'Name', cell: (s) => [s.firstName, s.lastName].filter(Boolean).join(' ') || '–' },
                  { name: 'E-mail', cell: (s) => s.email ?? '–' },
                  { name: 'Phone', cell: (s) => s.phone ?? '–' },
                  { name: 'Online', cell: (s) => (s.isOnline ? <Badge tone="good">online</Badge> : '–') },
                  { name: 'Created', cell: (s) => <Time at={s.createdAt} /> },
                ]}
              />
              <Pager pager={pager} info={subscribers.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

function New({ onClose }: { onClose: () => void }) {
  const [subscriberId, setID] = useState('')
  const [email, setEmail] = useState('')
  const [, go] = useLocation()
  const create = useAction(CreateSubscriberDocument, (r) => go(`/subscribers/${encodeURIComponent(r.createSubscriber.subscriberId)}`))
  return (
    <Dialog title="New subscriber" onClose={onClose}>
      <Form submit="Create" action={create} onSubmit={() => create.run({ input: { subscriberId, email: email || undefined } })}>
        <Text label="Identifier" value={subscriberId} onChange={setID} required hint="Your own identifier of the person." />
        <Text label="E-mail address" value={email} onChange={setEmail} />
      </Form>
    </Dialog>
  )
}

type Subscriber = SubscriberQuery['subscriberBySubscriberId']

export function SubscriberPage({ id, tab }: { id: string; tab: string }) {
  const query = useQuery(SubscriberDocument, { subscriberId: id })
  const [, go] = useLocation()
  const remove = useAction(DeleteSubscriberDocument, () => go('/subscribers'))
  const base = `/subscribers/${encodeURIComponent(id)}`
  return (
    <Load of={query}>
      {({ subscriberBySubscriberId: s }) => (
        <Page title={s.subscriberId} actions={<Confirm label="Delete" question={`Delete the subscriber ${s.subscriberId}?`} busy={remove.busy} onConfirm={() => remove.run({ id: s.id })} />}>
          <Failure error={remove.error} />
          <Tabs label="Subscriber" current={tab} tabs={[['Profile', base], ['Preferences', `${base}/preferences`], ['Subscriptions', `${base}/subscriptions`], ['Messages', `${base}/messages`]]} />
          {tab === 'Profile' && <Profile s={s} reload={query.reload} />}
          {tab === 'Preferences' && <Preferences id={id} />}
          {tab === 'Subscriptions' && <Subscriptions id={id} />}
          {tab === 'Messages' && <Messages id={id} />}
        </Page>
      )}
    </Load>
  )
}

const profileFields = [['firstName', 'First name'], ['lastName', 'Last name'], ['email', 'E-mail address'], ['phone', 'Phone'], ['avatar', 'Avatar'], ['locale', 'Locale'], ['timezone', 'Time zone']] as const

function Profile({ s, reload }: { s: Subscriber; reload: () => void }) {
  const [values, setValues] = useState(() => Object.fromEntries(profileFields.map(([name]) => [name, s[name] ?? ''])))
  const [data, setData] = useState(s.data ? JSON.stringify(s.data, null, 2) : '')
  const [error, setError] = useState<Error>()
  const [saved, setSaved] = useState(false)
  const update = useAction(UpdateSubscriberDocument, () => {
    setSaved(true)
    reload()
  })
  const submit = () => {
    setSaved(false)
    try {
      const profile = Object.fromEntries(profileFields.map(([name]) => [name, values[name] || null]))
      setError(undefined)
      void update.run({ input: { id: s.id, ...profile, data: parseJSON(data, 'Data') } })
    } catch (e) {
      setError(e as Error)
    }
  }
  return (
    <div className="cols">
      <Card title="Profile">
        <Form submit="Save" action={{ busy: update.busy, error: error ?? update.error }} onSubmit={submit}>
          {profileFields.map(([name, label]) => (
            <Text key={name} label={label} value={values[name] ?? ''} onChange={(v) => setValues({ ...values, [name]: v })} />
          ))}
          <Text label="Data (JSON)" lines={4} value={data} onChange={setData} />
          <div role="status">{saved && <div className="note good">Saved.</div>}</div>
        </Form>
      </Card>
      <div className="stack">
        <Card title="Facts">
          <Facts of={[['Record', <code>{s.internalId}</code>], ['Online', s.isOnline ? 'yes' : 'no'], ['Last online', <Time at={s.lastOnlineAt} />], ['Created', <Time at={s.createdAt} />], ['Changed', <Time at={s.updatedAt} />]]} />
        </Card>
        <Card title="Channels">
          <Table
            label="Channels"
            rows={s.channels}
            id={(c) => c.id}
            empty="No push devices and no chat addresses."
            columns={[
              { name: 'Provider', cell: (c) => c.providerId },
              { name: 'Reached at', cell: (c) => [c.credentials.webhookUrl, c.credentials.channel, ...(c.credentials.deviceTokens ?? [])].filter(Boolean).join(', ') },
            ]}
          />
        </Card>
        {s.schedule && (
          <Card title="Hours">
            <JSONView label="Hours" value={s.schedule} />
          </Card>
        )}
      </div>
    </div>
  )
}

const sources: Record<PreferenceSource, string> = { SUBSCRIBER: 'subscriber', TEMPLATE: 'workflow’s default', WORKFLOW_OVERRIDE: 'tenant' }
const channelOf = { IN_APP: 'inApp', EMAIL: 'email', SMS: 'sms', CHAT: 'chat', PUSH: 'push' } as const

function Preferences({ id }: { id: string }) {
  const query = useQuery(PreferencesDocument, { subscriberId: id })
  const setGlobal = useAction(SetGlobalPreferencesDocument, query.reload)
  const update = useAction(UpdatePreferencesDocument, query.reload)
  const choice = (label: string, value: boolean, onChange: (v: boolean) => void, disabled = false, why?: string) => (
    <label className="check">
      <input type="checkbox" checked={value} disabled={disabled || setGlobal.busy || update.busy} onChange={(e) => onChange(e.target.checked)} />
      <span className="hidden">{label}</span>
      {why && <small className="soft">{why}</small>}
    </label>
  )
  return (
    <Card title="Preferences">
      <Failure error={setGlobal.error ?? update.error} />
      <Load of={query}>
        {({ subscriberPreferences: p }) => (
          <Table
            label="Preferences"
            rows={[null, ...p.workflows]}
            id={(w) => w?.workflow.id ?? 'global'}
            columns={[
              { name: 'For', cell: (w) => (w ? <span>{w.workflow.name} {w.workflow.critical && <Badge>critical</Badge>}</span> : <strong>Everything</strong>) },
              ...channelFields.map(([field, name]) => ({
                name,
                cell: (w: (typeof p.workflows)[number] | null) => {
                  const value = (w ?? p.global).channels[field]
                  if (value === null) return <span className="soft">–</span>
                  const override = w?.overrides.find((o) => channelOf[o.channel] === field)
                  const channels: ChannelPreferencesInput = { [field]: !value }
                  return choice(
                    `${name} for ${w?.workflow.name ?? 'everything'}`,
                    value,
                    () => (w ? update.run({ input: { subscriberId: id, preferences: [{ workflowId: w.workflow.id, channels }] } }) : setGlobal.run({ input: { subscriberId: id, channels } })),
                    w?.workflow.critical,
                    w ? `by ${override ? sources[override.source] : 'default'}` : undefined,
                  )
                },
              })),
            ]}
          />
        )}
      </Load>
    </Card>
  )
}

function Subscriptions({ id }: { id: string }) {
  const pager = usePager(id)
  const query = useQuery(SubscriberSubscriptionsDocument, { subscriberId: id, first: 25, after: pager.after })
  return (
    <Card title="Subscriptions">
      <Load of={query}>
        {({ subscriberSubscriptions: list }) => (
          <>
            <Table
              label="Subscriptions"
              rows={list.nodes}
              id={(s) => s.id}
              columns={[
                { name: 'Topic', cell: (s) => s.topic && <Link href={`/topics/${encodeURIComponent(s.topic.key)}`}>{s.topic.name || s.topic.key}</Link> },
                { name: 'Subscription', cell: (s) => <code>{s.identifier}</code> },
                { name: 'Context', cell: (s) => s.contextKeys.join(', ') || '–' },
                { name: 'Since', cell: (s) => <Time at={s.createdAt} /> },
              ]}
            />
            <Pager pager={pager} info={list.pageInfo} />
          </>
        )}
      </Load>
    </Card>
  )
}

function Messages({ id }: { id: string }) {
  const pager = usePager(id)
  const query = useQuery(MessagesDocument, { first: 25, after: pager.after, filter: { subscriberId: id } })
  return (
    <Card title="Messages">
      <Load of={query}>
        {({ messages }) => (
          <>
            <Table
              label="Messages"
              rows={messages.nodes}
              id={(m) => m.id}
              columns={[
                { name: 'When', cell: (m) => <Time at={m.createdAt} /> },
                { name: 'Workflow', cell: (m) => <Link href={`/activity?transaction=${encodeURIComponent(m.transactionId)}`}>{m.workflow?.name ?? 'deleted workflow'}</Link> },
                { name: 'Channel', cell: (m) => words(m.channel) },
                { name: 'Subject', cell: (m) => m.subject ?? m.title ?? '–' },
                { name: 'Status', cell: (m) => <Badge tone={messageTones[m.status]}>{words(m.status)}</Badge> },
                { name: 'Inbox', cell: (m) => (m.channel === 'IN_APP' ? [m.read && 'read', m.seen && 'seen', m.archived && 'archived'].filter(Boolean).join(', ') || 'new' : '–') },
              ]}
            />
            <Pager pager={pager} info={messages.pageInfo} />
          </>
        )}
      </Load>
    </Card>
  )
}
