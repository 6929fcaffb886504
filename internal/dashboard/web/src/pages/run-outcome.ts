import type { Channel, RunStatus, TraceReason } from '../gql'
import { type Key, t } from '../text/text'
import type { Tone } from '../ui'
import { words } from '../words'
import { reasonTone, skips } from './trace-state'

type Entry = { stepId: string | null; channel: Channel | null; reason: TraceReason }

/** What became of a step: the decision that counts in the end. */
export type StepOutcome = { stepId: string; channel: Channel | null; reason: TraceReason; kind: Kind }

type Kind = 'sent' | 'failed' | 'skipped' | 'waiting'

// A step with several targets is what the best of them is.
const ranks: Record<Kind, number> = { waiting: 0, skipped: 1, failed: 2, sent: 3 }

function kindOf(reason: TraceReason): Kind {
  if (skips.has(reason)) return 'skipped'
  const tone = reasonTone(reason)
  return tone === 'bad' ? 'failed' : tone === 'good' ? 'sent' : 'waiting'
}

/** What became of each step that a run reached, in their order. */
export function stepOutcomes(trace: readonly Entry[]): StepOutcome[] {
  const all = new Map<string, StepOutcome>()
  for (const { stepId, channel, reason } of trace) {
    if (stepId === null || reason === 'RECEIPT') continue
    const kind = kindOf(reason)
    const known = all.get(stepId)
    if (!known || ranks[kind] >= ranks[known.kind])
      all.set(stepId, { stepId, channel: channel ?? known?.channel ?? null, reason, kind })
  }
  return [...all.values()]
}

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

/** What a run came to in words: one that left something out, or in which something failed, is not plainly completed. */
export function runOutcome(n: { status: RunStatus; heldBy?: string | null; trace?: readonly Entry[] }): {
  text: string
  tone: Tone
} {
  if (n.heldBy) return { text: t('run.paused'), tone: 'wait' }
  const steps = n.status === 'COMPLETED' ? stepOutcomes(n.trace ?? []).filter((s) => s.channel !== null) : []
  const of = (kind: Kind) => steps.filter((s) => s.kind === kind).length
  const text = (key: Key, count: number) => t(key, { n: count })
  if (of('failed') > 0) return { text: text('run.completedFailed', of('failed')), tone: 'bad' }
  if (of('skipped') > 0 && of('sent') === 0) return { text: t('run.nothingSent'), tone: 'wait' }
  if (of('skipped') > 0) return { text: text('run.completedSkipped', of('skipped')), tone: 'wait' }
  return { text: words(n.status), tone: tones[n.status] }
}

/** The step that explains best why a run did not send everything, or what it waits for; undefined when it sent all. */
export function whyNot(n: { status: RunStatus; trace: readonly Entry[] }): StepOutcome | undefined {
  const steps = stepOutcomes(n.trace)
  return (
    steps.find((s) => s.kind === 'failed') ??
    (n.status === 'WAITING' ? steps.findLast((s) => s.kind === 'waiting') : undefined) ??
    steps.find((s) => s.kind === 'skipped')
  )
}

type Addressed = {
  target: string
  email: string | null
  phone: string | null
  directWebhookUrl: string | null
  deviceTokens: readonly string[] | null
}

/** The address that a message went to; the name of its target where it has none of its own, as in the inbox. */
export const addressOf = (m: Addressed): string =>
  m.email ?? m.phone ?? m.directWebhookUrl ?? (m.deviceTokens?.length ? m.deviceTokens.join(', ') : m.target)
