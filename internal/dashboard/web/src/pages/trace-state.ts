import type { TraceReason } from '../gql'

const bad = new Set<TraceReason>([
  'NO_INTEGRATION',
  'REJECTED',
  'ATTEMPTS_EXHAUSTED',
  'OUTCOME_UNKNOWN',
  'RENDER_FAILED',
  'STOP_ON_FAIL',
  'STEP_UNSUPPORTED',
  'DELAY_FAILED',
  'PARKED',
  'NOT_TRIGGERED',
  'INVALID_ADDRESS',
])
const good = new Set<TraceReason>([
  'SENT',
  'COMPLETED',
  'TRIGGERED',
  'CALLED',
  'RECEIPT',
  'CONTINUED',
  'THROTTLE_PASSED',
  'DIGEST_PASSED',
])
const wait = new Set<TraceReason>([
  'QUEUED',
  'RETRY',
  'WAITING',
  'HELD',
  'PACED',
  'BREAKER_OPEN',
  'FAILOVER',
  'RECOVERED',
  'DUPLICATE_POSSIBLE',
])

/** The reasons for which a step was left out. */
export const skips = new Set<TraceReason>([
  'STEP_INACTIVE',
  'CONDITION',
  'PREFERENCE',
  'SCHEDULE',
  'NO_ADDRESS',
  'INVALID_ADDRESS',
  'SUPPRESSED',
  'THROTTLED',
  'PASSED_OVER',
  'DELAY_PAST',
])

/** The tone in which a reason is shown. */
export function reasonTone(r: TraceReason): 'good' | 'bad' | 'wait' | '' {
  if (bad.has(r)) return 'bad'
  if (good.has(r)) return 'good'
  return wait.has(r) || skips.has(r) ? 'wait' : ''
}

type Traced = { trace: readonly { count: number }[] }

const entries = (of: Traced) => of.trace.reduce((sum, entry) => sum + entry.count, 0)

/** The newer of two readings of a notification: traces only grow, so it is the one with more entries. */
export const newer = <T extends Traced>(update: T | undefined, read: T): T =>
  update && entries(update) >= entries(read) ? update : read
