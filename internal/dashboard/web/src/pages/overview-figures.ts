import type { Channel, NumbersFragment } from '../gql'

type Bucket = NumbersFragment['buckets'][number]
type Counts = { messages: number; sent: number; failed: number; pending: number }

const none: Counts = { messages: 0, sent: 0, failed: 0, pending: 0 }

const plus = (a: Counts, b: Counts): Counts => ({
  messages: a.messages + b.messages,
  sent: a.sent + b.sent,
  failed: a.failed + b.failed,
  pending: a.pending + b.pending,
})

/** The messages of a period. */
export const totals = (buckets: readonly Counts[]): Counts => buckets.reduce(plus, none)

/** The messages of a period by channel; the channel with the most is first. */
export function byChannel(buckets: readonly Pick<Bucket, 'channels'>[]): (Counts & { channel: Channel })[] {
  const all = new Map<Channel, Counts>()
  for (const { channels } of buckets) for (const c of channels) all.set(c.channel, plus(all.get(c.channel) ?? none, c))
  return [...all].map(([channel, counts]) => ({ channel, ...counts })).sort((a, b) => b.messages - a.messages)
}

/** A part of a whole; null when there is no whole. */
export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

/** By how much a figure differs from the one before, as a part of that; null when there was none before. */
export const change = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before === 0 ? null : (now - before) / before

/** The latency of a period: the mean of what its spans had, each by how much was sent in it; null when nothing was. */
export function latency(
  buckets: readonly Pick<Bucket, 'sent' | 'latency'>[],
  of: 'p50' | 'p95' | 'p99',
): number | null {
  let sum = 0
  let sent = 0
  for (const b of buckets)
    if (b.latency) {
      sum += b.latency[of] * b.sent
      sent += b.sent
    }
  return sent > 0 ? sum / sent : null
}

/** How often the state is read anew, in milliseconds. */
export const often = 30_000

/**
 * How often the numbers of a period are read anew. The longer it is, the more is counted for them, and the less they change: by a tenth of
 * one of their sixty bars.
 */
export const refreshOf = (seconds: number) => Math.min(Math.max((seconds * 1000) / 600, often), 10 * often)

/** The period that a time range of an address means, by whole seconds, and where the one before it begins. */
export function period(seconds: number, now: number) {
  const to = Math.floor(now / 1000) * 1000
  const iso = (at: number) => new Date(at).toISOString()
  return { from: iso(to - seconds * 1000), to: iso(to), before: iso(to - 2 * seconds * 1000) }
}

type Integration = {
  active: boolean
  breaker: 'CLOSED' | 'OPEN' | 'HALF_OPEN'
  health: { attempts: number; rejected: number; unknown: number } | null
}

const bearable = 0.05

/** Reports whether an integration needs attention: its breaker is open, or more of its requests fail than is usual. */
export function isUnhealthy(i: Integration): boolean {
  if (!i.active) return false
  if (i.breaker !== 'CLOSED') return true
  const failed = share((i.health?.rejected ?? 0) + (i.health?.unknown ?? 0), i.health?.attempts ?? 0)
  return failed !== null && failed > bearable
}

/** The query of the list of what a span of a chart counts. */
export const spanQuery = (start: string, seconds: number): string =>
  new URLSearchParams({ from: start, to: new Date(Date.parse(start) + seconds * 1000).toISOString() }).toString()

/** The positions of values without a neighbour, which no line shows. */
export const isolated = (values: readonly (number | null)[]): number[] =>
  values.flatMap((v, i) => (v !== null && values[i - 1] == null && values[i + 1] == null ? [i] : []))
