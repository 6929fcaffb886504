import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useFilters, usePager } from '../address'
import { useLive, useQuery } from '../api'
import { Select, Text } from '../form'
import { ActivityDocument, ActivityLiveDocument, type NotificationRowFragment, type RunStatus } from '../gql'
import { Badge, Card, Load, Page, Pager, Table, Time, type Tone } from '../ui'
import { words } from '../words'
import { addUpdates, mergeUpdates } from './activity-rows'

const statuses: RunStatus[] = ['PENDING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED', 'MERGED', 'SKIPPED', 'PARKED']

const tones: Record<RunStatus, Tone> = {
  PENDING: 'wait',
  WAITING: 'wait',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: '',
  MERGED: '',
  SKIPPED: '',
  PARKED: 'bad',
}

export function RunBadge({ of }: { of: { status: RunStatus; failures: number } }) {
  return (
    <span className="row">
      <Badge tone={tones[of.status]}>{words(of.status)}</Badge>
      {of.failures > 0 && <Badge tone="bad">{of.failures === 1 ? '1 failure' : `${of.failures} failures`}</Badge>}
    </span>
  )
}

/** All notifications, newest first, updated live. */
export function Activity() {
  const { get, set } = useFilters()
  const search = {
    transactionId: get('transaction') || undefined,
    subscriberId: get('subscriber') || undefined,
    workflow: get('workflow') || undefined,
  }
  const status = get('status') as RunStatus | ''
  const providerMessageId = get('provider') || undefined
  const filter = { ...search, providerMessageId, statusIn: status ? [status] : undefined }
  const pager = usePager()
  const query = useQuery(ActivityDocument, { ...pager.variables, filter })

  const updates = useUpdates(search, query.reload)
  return (
    <Page title="Activity">
      <Card>
        <form className="filters" role="search" aria-label="Activity" onSubmit={(e) => e.preventDefault()}>
          <Text label="Transaction" value={get('transaction')} onChange={set('transaction')} />
          <Text label="Subscriber" value={get('subscriber')} onChange={set('subscriber')} />
          <Text label="Workflow" value={get('workflow')} onChange={set('workflow')} />
          <Text label="Provider message ID" value={get('provider')} onChange={set('provider')} />
          <Select
            label="Status"
            value={status}
            onChange={set('status')}
            options={[{ value: '', label: 'Any' }, ...statuses]}
          />
        </form>
      </Card>
      <Card>
        <Load of={query}>
          {({ notifications }) => (
            <>
              <Table
                label="Notifications"
                rows={mergeUpdates(notifications.nodes, updates, { addNew: pager.first && !providerMessageId, status })}
                id={(n) => n.id}
                empty="No notifications match these filters."
                columns={[
                  { name: 'When', cell: (n) => <Time at={n.createdAt} /> },
                  {
                    name: 'Workflow',
                    cell: (n) => <Link href={`/activity/${n.id}`}>{n.workflow?.name ?? 'deleted workflow'}</Link>,
                  },
                  {
                    name: 'Subscriber',
                    cell: (n) => n.subscriber?.subscriberId ?? <span className="soft">deleted</span>,
                  },
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

/** The live updates of the notifications that match a search, by id. */
function useUpdates(
  search: { transactionId?: string; subscriberId?: string; workflow?: string },
  onGap: () => void,
): ReadonlyMap<string, NotificationRowFragment> {
  const [updates, setUpdates] = useState<ReadonlyMap<string, NotificationRowFragment>>(new Map())
  const fresh = useRef<NotificationRowFragment[]>([])
  const key = JSON.stringify(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search starts empty.
  useEffect(() => {
    fresh.current = []
    setUpdates(new Map())
  }, [key])
  const show = () => {
    const added = fresh.current.splice(0)
    setUpdates((old) => addUpdates(old, added))
  }
  useLive(
    ActivityLiveDocument,
    { filter: search },
    ({ notificationUpdates: n }) => {
      if (fresh.current.push(n) === 1) setTimeout(show, 100) // however many there are, the page is drawn ten times a second
    },
    onGap,
  )
  return updates
}
