import type {
  AttemptFilter,
  AttemptOutcome,
  Channel,
  MessageFilter,
  MessageStatus,
  NotificationFilter,
  RunStatus,
} from '../gql'

/** The three lists of the page: runs, the messages that they made, and the requests to providers. */
export type View = 'runs' | 'messages' | 'requests'

export const runStatuses: RunStatus[] = [
  'PENDING',
  'WAITING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'MERGED',
  'SKIPPED',
  'PARKED',
]
export const messageStatuses: MessageStatus[] = ['PENDING', 'SENT', 'WARNING', 'ERROR']
export const outcomes: AttemptOutcome[] = ['INTENT', 'ACCEPTED', 'REJECTED', 'UNKNOWN']
export const channels: Channel[] = ['EMAIL', 'SMS', 'PUSH', 'CHAT', 'IN_APP']

/** The filter value that selects the statuses of failed and incomplete runs. */
export const problems = 'PROBLEMS'

export const periods = ['3600', '86400', '604800', '2592000'] as const

/** The names under which addresses keep filters. */
export const filterNames = [
  'subscriber',
  'workflow',
  'status',
  'channel',
  'provider',
  'integration',
  'transaction',
  'context',
  'since',
  'from',
  'to',
] as const

export type FilterName = (typeof filterNames)[number]

type Get = (name: FilterName) => string

const oneOf = <T extends string>(all: readonly T[], value: string): T[] | undefined => {
  const found = all.filter((one) => value.split(',').includes(one))
  return found.length > 0 ? found : undefined
}

/** An instant of an address, or of an input for local times; undefined when it is none. */
export function instant(text: string): string | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** What the reader's clock shows at an instant, as inputs for local times have it. Years that are being typed are in the first centuries,
 * when zones differed from UTC by seconds. */
export function onTheClock(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return ''
  const digits = (n: number, count = 2) => String(n).padStart(count, '0')
  const day = `${digits(at.getFullYear(), 4)}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`
  return `${day}T${digits(at.getHours())}:${digits(at.getMinutes())}`
}

const minute = 60_000

/** The time that filters ask for. A period ends now; it moves by whole minutes, so that a list is not read anew all the time. */
export function within(get: Get, now: number) {
  const since = Number(get('since'))
  if (since > 0)
    return {
      createdAfter: new Date(Math.floor((now - since * 1000) / minute) * minute).toISOString(),
      createdBefore: undefined,
    }
  return { createdAfter: instant(get('from')), createdBefore: instant(get('to')) }
}

export const runFilter = (get: Get, now: number): NotificationFilter => ({
  subscriberId: get('subscriber') || undefined,
  workflow: get('workflow') || undefined,
  transactionId: get('transaction') || undefined,
  providerMessageId: get('provider') || undefined,
  contextKeys: get('context') ? get('context').split(/[\s,]+/) : undefined,
  statusIn: get('status') === problems ? ['FAILED', 'PARKED'] : oneOf(runStatuses, get('status')),
  ...within(get, now),
})

export const messageFilter = (get: Get, now: number): MessageFilter => ({
  subscriberId: get('subscriber') || undefined,
  workflow: get('workflow') || undefined,
  transactionId: get('transaction') || undefined,
  contextKeys: get('context') ? get('context').split(/[\s,]+/) : undefined,
  channelIn: oneOf(channels, get('channel')),
  statusIn: oneOf(messageStatuses, get('status')),
  ...within(get, now),
})

export const requestFilter = (get: Get, now: number): AttemptFilter => ({
  providerId: get('provider') || undefined,
  integrationId: get('integration') || undefined,
  outcomeIn: oneOf(outcomes, get('status')),
  ...within(get, now),
})

/** The filters that each view has. */
export const filtersOf: Record<View, readonly FilterName[]> = {
  runs: ['subscriber', 'workflow', 'status', 'since', 'transaction', 'provider', 'context', 'from', 'to'],
  messages: ['subscriber', 'workflow', 'channel', 'status', 'since', 'transaction', 'context', 'from', 'to'],
  requests: ['provider', 'status', 'since', 'integration', 'from', 'to'],
}

export const viewOf = (text: string): View => (text === 'messages' || text === 'requests' ? text : 'runs')

/** A view under a name that a person gave it: its address below /activity. */
export type SavedView = { name: string; query: string }

/** What is kept of an address under a name: the view and its filters, not what is selected. */
export function savedQuery(params: URLSearchParams): string {
  const kept = new URLSearchParams()
  for (const name of ['view', ...filterNames]) {
    const value = params.get(name)
    if (value) kept.set(name, value)
  }
  return kept.toString()
}

/** The views that were saved, from their text; those that are malformed are left out. */
export function parseViews(text: string | null): SavedView[] {
  try {
    const all: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(all)
      ? all.filter((v): v is SavedView => typeof v?.name === 'string' && typeof v?.query === 'string').slice(0, 50)
      : []
  } catch {
    return []
  }
}

/** The views with one more; one of the same name is replaced. */
export const withView = (all: readonly SavedView[], view: SavedView): SavedView[] =>
  [...all.filter((v) => v.name !== view.name), view].sort((a, b) => a.name.localeCompare(b.name))

/** Reports whether an update that arrived belongs to a list of runs. */
export const belongs = (of: { status: RunStatus }, filter: NotificationFilter) =>
  !filter.statusIn || filter.statusIn.includes(of.status)
