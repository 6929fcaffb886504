import type { Channel, TraceReason } from '../gql'

type Entry = {
  at: string
  lastAt: string
  until: string | null
  stepId: string | null
  channel: Channel | null
  reason: TraceReason
}

/** A stretch of a step on the time line of its run: from and to are parts of the whole, 0 to 1. */
export type Span = { kind: 'wait' | 'send' | 'work'; from: number; to: number; ms: number }

export type StepSpans = { stepId: string; channel: Channel | null; spans: Span[] }

const waits = new Set<TraceReason>(['WAITING', 'HELD', 'PACED', 'BREAKER_OPEN', 'RETRY'])
const narrowest = 0.006 // what takes no time is seen as well

/**
 * The steps of a run with their stretches to scale. A wait lasts until the next decision on its step, or until the end of
 * the time line when there is none yet.
 */
export function stepSpans(trace: readonly Entry[], start: number, end: number): { steps: StepSpans[]; total: number } {
  const total = Math.max(end - start, 1)
  const steps = new Map<string, StepSpans & { open?: { kind: Span['kind']; at: number } }>()
  const add = (s: StepSpans, kind: Span['kind'], at: number, until: number) => {
    const from = Math.min(Math.max((at - start) / total, 0), 1 - narrowest)
    const to = Math.min(Math.max((until - start) / total, from + narrowest), 1)
    s.spans.push({ kind, from, to, ms: Math.max(until - at, 0) })
  }
  for (const entry of trace) {
    if (entry.stepId === null || entry.reason === 'RECEIPT') continue
    const at = Date.parse(entry.at)
    const step = steps.get(entry.stepId) ?? { stepId: entry.stepId, channel: entry.channel, spans: [] }
    steps.set(entry.stepId, step)
    step.channel ??= entry.channel
    if (step.open) add(step, step.open.kind, step.open.at, at)
    step.open = undefined
    if (waits.has(entry.reason)) step.open = { kind: 'wait', at }
    else if (entry.reason === 'QUEUED') step.open = { kind: 'send', at }
    else add(step, 'work', at, at)
  }
  return {
    total,
    steps: [...steps.values()].map(({ open, ...step }) => {
      if (open) add(step, open.kind, open.at, end)
      return step
    }),
  }
}
