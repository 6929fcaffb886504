import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { request, useLive } from '../api'
import { Button } from '../button'
import {
  ActivityDocument,
  ActivityLiveDocument,
  CallsDocument,
  type CallsQuery,
  type NotificationRowFragment,
  SentMessagesDocument,
  type SentMessagesQuery,
} from '../gql'
import { part } from '../part'
import { useShortcuts } from '../shortcuts'
import { language, t } from '../text/text'
import { exact, lasted } from '../time'
import { Badge, Card, Empty, Page, Time, type Tone } from '../ui'
import { words } from '../words'
import { FilterBar, type Filters, useActivityFilters } from './activity-filters'
import { belongs, filtersOf, messageFilter, requestFilter, runFilter, type View, viewOf } from './activity-query'
import { addFresh, maxFresh } from './activity-rows'
import { type Column, LongList, useNarrow, useWindowed } from './long-list'
import { ChannelIcons, messageTones, RunBadge, reasonText } from './run-badge'
import { addressOf, whyNot } from './run-outcome'
import { rowAt, windowPage } from './windowed'

export { RunBadge } from './run-badge'

const RunPanel = part(() => import('./run-panel').then((m) => m.RunPanel))
const WhyNot = part(
  () => import('./run-panel').then((m) => m.WhyNot),
  () => null,
)

/** All runs, the messages they made and the requests to providers, newest first, runs updated live. */
export function Activity() {
  const filters = useActivityFilters()
  const view = viewOf(filters.get('view'))
  const selected = filters.get('run')
  const views: View[] = ['runs', 'messages', 'requests']
  const names = { runs: t('activity.runs'), messages: t('activity.messages'), requests: t('activity.requests') }
  const List = lists[view]
  return (
    <div className="activity">
      <Page
        title={t('nav.activity')}
        actions={
          <div className="segments" role="group" aria-label={t('activity.views')}>
            {views.map((v) => (
              <Button key={v} aria-pressed={v === view} onClick={() => filters.set('view', v === 'runs' ? '' : v)}>
                {names[v]}
              </Button>
            ))}
          </div>
        }
      >
        <List key={view} filters={filters}>
          {selected && <RunPanel id={selected} key={selected} onClose={() => filters.set('run', '')} />}
        </List>
      </Page>
    </div>
  )
}

type ListProps = { filters: Filters; children: ReactNode }

/** Where a run is shown: beside the list, or on a page of its own where there is no room. */
function useOpen(filters: Filters) {
  const narrow = useNarrow()
  const [, go] = useLocation()
  return (id: string) => (narrow ? go(`/activity/${id}`) : filters.set('run', id))
}

const hiddenColumns = 'carillon-activity-columns'

/** Which columns the person left out; some are from the start. */
function useColumns<R>(all: Column<R>[], start: readonly string[]) {
  const [hidden, setHidden] = useState<readonly string[]>(
    () => localStorage.getItem(hiddenColumns)?.split(',') ?? start,
  )
  const toggle = (id: string, on: boolean) => {
    const next = on ? hidden.filter((h) => h !== id) : [...hidden, id]
    localStorage.setItem(hiddenColumns, next.join(','))
    setHidden(next)
  }
  return { shown: all.filter((c) => !hidden.includes(c.id)), menu: { all, hidden, toggle } }
}

/** The link of a row: where there is room it opens the panel, as a click anywhere on the row does. */
function RowLink({ id, open, children }: { id: string; open: (id: string) => void; children: ReactNode }) {
  return (
    <Link
      href={`/activity/${id}`}
      onClick={(e) => {
        if (e.metaKey || e.ctrlKey || e.shiftKey) return
        e.preventDefault()
        open(id)
      }}
    >
      {children}
    </Link>
  )
}

const gone = (text: string) => <span className="soft">{text}</span>
const essential = ['when', 'workflow', 'subscriber', 'status', 'target', 'channel']

function Runs({ filters, children }: ListProps) {
  const filter = runFilter(filters.get, Date.now())
  const key = JSON.stringify(filter)
  const of = useWindowed<NotificationRowFragment>(key, async (after) => {
    const { notifications: n } = await request(ActivityDocument, { first: windowPage, after, filter })
    return { rows: n.nodes, info: n.pageInfo }
  })
  const fresh = useArrivals(of, filter, key)
  const open = useOpen(filters)
  const selected = filters.get('run')
  const columns: Column<NotificationRowFragment>[] = [
    { id: 'when', name: t('column.when'), width: '8rem', cell: (n) => <Time at={n.createdAt} /> },
    {
      id: 'workflow',
      name: t('common.workflow'),
      width: 'minmax(7rem, 1.2fr)',
      cell: (n) => (
        <RowLink id={n.id} open={open}>
          {n.workflow?.name ?? t('run.deletedWorkflow')}
        </RowLink>
      ),
    },
    {
      id: 'subscriber',
      name: t('common.subscriber'),
      width: 'minmax(6rem, 1fr)',
      cell: (n) => n.subscriber?.subscriberId ?? gone(t('run.deletedSubscriber')),
    },
    { id: 'status', name: t('common.status'), width: '11.5rem', cell: (n) => <RunBadge of={n} /> },
    { id: 'why', name: t('column.why'), width: 'minmax(8rem, 1.4fr)', cell: (n) => <Why of={n} /> },
    { id: 'channels', name: t('column.channels'), width: '6rem', cell: (n) => <ChannelIcons of={n} /> },
    {
      id: 'took',
      name: t('column.took'),
      width: '6rem',
      cell: (n) => (n.finishedAt ? lasted(Date.parse(n.finishedAt) - Date.parse(n.createdAt)) : gone('–')),
    },
    {
      id: 'transaction',
      name: t('column.transaction'),
      width: 'minmax(8rem, 1.2fr)',
      cell: (n) => <span className="mono">{n.transactionId}</span>,
    },
  ]
  const { shown, menu } = useColumns(columns, ['took'])
  const move = (by: number) => {
    const rows = [...fresh, ...Array.from({ length: of.list.count }, (_, i) => rowAt(of.list, i))]
    const next = rows[Math.max(rows.findIndex((r) => r?.id === selected) + by, 0)]
    if (next) filters.set('run', next.id)
  }
  const [, go] = useLocation()
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => selected && document.activeElement === document.body && go(`/activity/${selected}`),
    Escape: () => filters.set('run', ''),
  })
  const any = filtersOf.runs.some((name) => filters.get(name))
  return (
    <>
      <FilterBar view="runs" filters={filters} columns={menu} />
      <div className={selected ? 'split open' : 'split'}>
        <Card className="list">
          <LongList
            label={t('activity.runs')}
            of={of}
            fresh={fresh}
            columns={selected ? shown.filter((c) => essential.includes(c.id)) : shown}
            selected={selected}
            onSelect={(n) => open(n.id)}
            empty={
              filters.get('subscriber') && filters.get('workflow') ? (
                <WhyNot subscriber={filters.get('subscriber')} workflow={filters.get('workflow')} />
              ) : (
                <Nothing any={any} filters={filters} none={t('activity.noRuns')} noMatch={t('activity.noMatch')} />
              )
            }
          />
        </Card>
        {children}
      </div>
    </>
  )
}

function Why({ of }: { of: NotificationRowFragment }) {
  const step = whyNot(of)
  if (!step && !of.heldBy) return gone('–')
  const why =
    step?.kind === 'waiting' && of.dueAt
      ? `${t('run.until')} ${exact(Date.parse(of.dueAt), language())}`
      : step && reasonText(step.reason)
  const text = of.heldBy ? t('run.heldShort') : `${step?.stepId}: ${why}`
  return <span title={text}>{text}</span>
}

/** What a list without rows says: that there is nothing yet, or that nothing matches. */
function Nothing({ any, filters, none, noMatch }: { any: boolean; filters: Filters; none: string; noMatch: string }) {
  return any ? (
    <Empty action={<Button onClick={filters.clear}>{t('filter.clear')}</Button>}>{noMatch}</Empty>
  ) : (
    <Empty>{none}</Empty>
  )
}

/** The runs that arrive while the list is shown; those that are in it already change in place. */
function useArrivals(
  of: ReturnType<typeof useWindowed<NotificationRowFragment>>,
  filter: ReturnType<typeof runFilter>,
  key: string,
): readonly NotificationRowFragment[] {
  const [state, setState] = useState<{ key: string; rows: readonly NotificationRowFragment[] }>({ key, rows: [] })
  const queue = useRef<NotificationRowFragment[]>([])
  const latest = useRef({ of, filter })
  latest.current = { of, filter }
  const take = useCallback(
    (updates: readonly NotificationRowFragment[]) => {
      const { of, filter } = latest.current
      of.change(new Map(updates.map((n) => [n.id, n])))
      setState((s) => ({
        key,
        rows: addFresh(s.key === key ? s.rows : [], updates, of.list, (n) => belongs(n, filter)),
      }))
    },
    [key],
  )
  const search = { transactionId: filter.transactionId, subscriberId: filter.subscriberId, workflow: filter.workflow }
  // What names a message of a provider, a set of contexts or an end in the past is not watched: it is read anew.
  const fixed = Boolean(filter.providerMessageId || filter.contextKeys || filter.createdBefore)
  useLive(
    ActivityLiveDocument,
    { filter: search },
    ({ notificationUpdates: n }) => {
      // However many there are, the page is drawn ten times a second.
      if (queue.current.push(n) === 1) setTimeout(() => take(queue.current.splice(0)), 100)
    },
    () => {
      request(ActivityDocument, { first: windowPage, filter: latest.current.filter }).then(
        ({ notifications: n }) => {
          const { list, reload } = latest.current.of
          const known = n.nodes.some((row) => row.id === rowAt(list, 0)?.id)
          if (known) take(n.nodes)
          else reload()
        },
        () => {}, // the next gap brings it
      )
    },
    fixed,
  )
  const rows = state.key === key ? state.rows : []
  const { reload } = of
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that are in the list itself are fresh no more.
  useEffect(() => {
    if (rows.length < maxFresh) return
    setState({ key, rows: [] })
    reload()
  }, [rows.length >= maxFresh])
  return rows.filter((n) => !of.list.pages.get(0)?.some((row) => row.id === n.id))
}

type Message = SentMessagesQuery['messages']['nodes'][number]

function Messages({ filters, children }: ListProps) {
  const filter = messageFilter(filters.get, Date.now())
  const of = useWindowed<Message>(JSON.stringify(filter), async (after) => {
    const { messages } = await request(SentMessagesDocument, { first: windowPage, after, filter })
    return { rows: messages.nodes, info: messages.pageInfo }
  })
  const open = useOpen(filters)
  const selected = filters.get('run')
  const columns: Column<Message>[] = [
    { id: 'when', name: t('column.when'), width: '8rem', cell: (m) => <Time at={m.createdAt} /> },
    {
      id: 'workflow',
      name: t('common.workflow'),
      width: 'minmax(7rem, 1.2fr)',
      cell: (m) => (
        <RowLink id={m.notificationId} open={open}>
          {m.workflow?.name ?? t('run.deletedWorkflow')}
        </RowLink>
      ),
    },
    { id: 'channel', name: t('common.channel'), width: '6rem', cell: (m) => words(m.channel) },
    { id: 'target', name: t('common.to'), width: 'minmax(7rem, 1.2fr)', cell: (m) => addressOf(m) },
    { id: 'provider', name: t('common.provider'), width: 'minmax(5rem, .8fr)', cell: (m) => m.providerId ?? gone('–') },
    {
      id: 'status',
      name: t('common.status'),
      width: '8rem',
      cell: (m) => <Badge tone={messageTones[m.status]}>{words(m.status)}</Badge>,
    },
    {
      id: 'receipt',
      name: t('word.RECEIPT'),
      width: '7rem',
      cell: (m) => (m.receipt ? words(m.receipt) : gone('–')),
    },
    { id: 'error', name: t('word.ERROR'), width: 'minmax(6rem, 1.4fr)', cell: (m) => m.errorText ?? gone('–') },
  ]
  return (
    <>
      <FilterBar view="messages" filters={filters} />
      <div className={selected ? 'split open' : 'split'}>
        <Card className="list">
          <LongList
            label={t('activity.messages')}
            of={of}
            columns={selected ? columns.filter((c) => essential.includes(c.id)) : columns}
            onSelect={(m) => open(m.notificationId)}
            empty={
              <Nothing
                any={filtersOf.messages.some((name) => filters.get(name))}
                filters={filters}
                none={t('activity.noMessages')}
                noMatch={t('activity.noMatch')}
              />
            }
          />
        </Card>
        {children}
      </div>
    </>
  )
}

type Call = CallsQuery['attempts']['nodes'][number]

export const outcomeTones: Record<Call['outcome'], Tone> = {
  INTENT: 'wait',
  ACCEPTED: 'good',
  REJECTED: 'bad',
  UNKNOWN: 'wait',
}

function Requests({ filters, children }: ListProps) {
  const filter = requestFilter(filters.get, Date.now())
  const of = useWindowed<Call>(JSON.stringify(filter), async (after) => {
    const { attempts } = await request(CallsDocument, { first: windowPage, after, filter })
    return { rows: attempts.nodes, info: attempts.pageInfo }
  })
  const open = useOpen(filters)
  const selected = filters.get('run')
  const columns: Column<Call>[] = [
    { id: 'when', name: t('column.when'), width: '8rem', cell: (a) => <Time at={a.createdAt} /> },
    {
      id: 'workflow',
      name: t('common.workflow'),
      width: 'minmax(7rem, 1.2fr)',
      cell: (a) =>
        a.message ? (
          <RowLink id={a.message.notificationId} open={open}>
            {a.message.workflow?.name ?? t('run.deletedWorkflow')}
          </RowLink>
        ) : (
          gone(t('activity.testCall'))
        ),
    },
    {
      id: 'target',
      name: t('common.to'),
      width: 'minmax(7rem, 1fr)',
      cell: (a) => (a.message ? addressOf(a.message) : gone('–')),
    },
    {
      id: 'integration',
      name: t('word.INTEGRATION'),
      width: 'minmax(6rem, 1fr)',
      cell: (a) => a.integration?.name ?? a.providerId,
    },
    {
      id: 'status',
      name: t('column.outcome'),
      width: '9rem',
      cell: (a) => <Badge tone={outcomeTones[a.outcome]}>{words(a.outcome)}</Badge>,
    },
    { id: 'number', name: t('column.attempt'), width: '5rem', cell: (a) => a.number },
    {
      id: 'answer',
      name: t('column.answer'),
      width: 'minmax(8rem, 1.6fr)',
      cell: (a) => [a.httpStatus, a.code, a.errorText].filter(Boolean).join(' ') || gone('–'),
    },
  ]
  return (
    <>
      <FilterBar view="requests" filters={filters} />
      <div className={selected ? 'split open' : 'split'}>
        <Card className="list">
          <LongList
            label={t('activity.requests')}
            of={of}
            columns={selected ? columns.filter((c) => essential.includes(c.id)) : columns}
            onSelect={(a) => a.message && open(a.message.notificationId)}
            empty={
              <Nothing
                any={filtersOf.requests.some((name) => filters.get(name))}
                filters={filters}
                none={t('activity.noRequests')}
                noMatch={t('activity.noMatch')}
              />
            }
          />
        </Card>
        {children}
      </div>
    </>
  )
}

const lists: Record<View, (props: ListProps) => ReactNode> = { runs: Runs, messages: Messages, requests: Requests }
