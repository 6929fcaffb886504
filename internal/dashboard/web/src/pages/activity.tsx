import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useLive, useQuery } from '../api'
import { ActivityDocument, ActivityLiveDocument, type NotificationRowFragment, type RunStatus } from '../gql'
import { Badge, Card, Load, Page, Pager, Select, Table, Text, Time, usePager, words, type Tone } from '../ui'

const statuses: RunStatus[] = ['PENDING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED', 'MERGED', 'SKIPPED', 'PARKED']

const tones: Record<RunStatus, Tone> = {
  PENDING: 'wait', WAITING: 'wait', COMPLETED: 'good', FAILED: 'bad', CANCELLED: '', MERGED: '', SKIPPED: '', PARKED: 'bad',
}

export function RunBadge({ of }: { of: { status: RunStatus; failures: number } }) {
  return (
    <span className="row">
      <Badge tone={tones[of.status]}>{words(of.status)}</Badge>
      {of.failures > 0 && <Badge tone="bad">{of.failures === 1 ? '1 failure' : `${of.failures} failures`}</Badge>}
    </span>
  )
}

/** Everything that was sent to anybody, newest first; what happens appears by itself. */
export function Activity() {
  const [params, setParams] = useSearchParams()
  const get = (name: string) => params.get(name) ?? ''
  const set = (name: string) => (value: string) =>
    setParams((p) => {
      value ? p.set(name, value) : p.delete(name)
      return p
    }, { replace: true })
  const search = {
    transactionId: get('transaction') || undefined,
    subscriberId: get('subscriber') || undefined,
    workflow: get('workflow') || undefined,
  }
  const status = get('status') as RunStatus | ''
  const providerMessageId = get('provider') || undefined
  const filter = { ...search, providerMessageId, statusIn: status ? [status] : undefined }
  const pager = usePager(JSON.stringify(filter))
  const query = useQuery(ActivityDocument, { first: 25, after: pager.after, filter })

  const [heard, setHeard] = useState<Record<string, NotificationRowFragment>>({})
  useLive(ActivityLiveDocument, { filter: search }, ({ notificationUpdates: n }) => setHeard((all) => ({ ...all, [n.id]: n })))
  const merge = (rows: NotificationRowFragment[]) => {
    const known = new Set(rows.map((r) => r.id))
    const newest = rows[0]?.createdAt ?? ''
    const added = pager.first && !providerMessageId ? Object.values(heard).filter((n) => !known.has(n.id) && n.createdAt >= newest && (!status || n.status === status) && matches(n, search)) : []
    return [...added.sort((a, b) => b.createdAt.localeCompare(a.createdAt)), ...rows.map((r) => heard[r.id] ?? r)].slice(0, 50)
  }

  return (
    <Page title="Activity">
      <Card>
        <form className="filters" role="search" aria-label="Activity" onSubmit={(e) => e.preventDefault()}>
          <Text label="Transaction" value={get('transaction')} onChange={set('transaction')} />
          <Text label="Subscriber" value={get('subscriber')} onChange={set('subscriber')} />
          <Text label="Workflow" value={get('workflow')} onChange={set('workflow')} />
          <Text label="Provider’s id of a message" value={get('provider')} onChange={set('provider')} />
          <Select label="Status" value={status} onChange={set('status')} options={[{ value: '', label: 'Any' }, ...statuses]} />
        </form>
      </Card>
      <Card>
        <Load of={query}>
          {({ notifications }) => (
            <>
              <Table
                label="Notifications"
                rows={merge(notifications.nodes)}
                id={(n) => n.id}
                empty="No notification meets these conditions."
                columns={[
                  { name: 'When', cell: (n) => <Time at={n.createdAt} /> },
                  { name: 'Workflow', cell: (n) => <Link href={`/activity/${n.id}`}>{n.workflow?.name ?? 'deleted workflow'}</Link> },
                  { name: 'Subscriber', cell: (n) => n.subscriber?.subscriberId ?? <span className="soft">deleted</span> },
                  { name: 'Status', cell: (n) => <RunBadge of={n} /> },
                  { name: 'Transaction', cell: (n) => <span className="mono">{n.transactionId}</span> },
                ]}
              />
              <Pager pager={pager} info={notifications.pageInfo} />
            </>
          )}
        </Load>
      </Card>
    </Page>
  )
}

function matches(n: NotificationRowFragment, search: { transactionId?: string; subscriberId?: string }): boolean {
  return (!search.transactionId || n.transactionId === search.transactionId) && (!search.subscriberId || n.subscriber?.subscriberId === search.subscriberId)
}
