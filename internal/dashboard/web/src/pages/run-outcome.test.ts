import { expect, test } from 'vitest'
import type { Channel, TraceReason } from '../gql'
import { addressOf, runOutcome, stepOutcomes, whyNot } from './run-outcome'
import { stepSpans } from './trace-spans'

const entry = (stepId: string | null, reason: TraceReason, channel: Channel | null = stepId ? 'EMAIL' : null) => ({
  stepId,
  reason,
  channel,
})
const completed = (...trace: ReturnType<typeof entry>[]) => runOutcome({ status: 'COMPLETED', trace })

test('a run that sent everything is completed', () => {
  expect(completed(entry('mail', 'QUEUED'), entry('mail', 'SENT'), entry(null, 'COMPLETED'))).toEqual({
    text: 'Completed',
    tone: 'good',
  })
})

test('a run that a pause holds says so', () => {
  expect(runOutcome({ status: 'WAITING', heldBy: 'p1', trace: [] }).text).toBe('Paused')
})

test('a run that left something out says so', () => {
  expect(completed(entry('mail', 'NO_ADDRESS'), entry('inbox', 'SENT', 'IN_APP'))).toEqual({
    text: 'Completed, 1 skipped',
    tone: 'wait',
  })
  expect(completed(entry('mail', 'CONDITION'))).toEqual({ text: 'Nothing sent', tone: 'wait' })
  expect(completed(entry('mail', 'REJECTED'), entry('inbox', 'SENT'))).toEqual({
    text: 'Completed, 1 failed',
    tone: 'bad',
  })
})

test('a wait that was over in time is nothing left out', () => {
  expect(completed(entry('wait', 'DELAY_PAST', null), entry('mail', 'SENT')).text).toBe('Completed')
  expect(runOutcome({ status: 'WAITING', trace: [entry('mail', 'CONDITION')] })).toEqual({
    text: 'Waiting',
    tone: 'wait',
  })
  expect(runOutcome({ status: 'COMPLETED' }).tone).toBe('good')
})

test('a step is what its last decision that counts says', () => {
  const trace = [entry('mail', 'QUEUED'), entry('mail', 'RETRY'), entry('mail', 'SENT'), entry('mail', 'RECEIPT')]
  expect(stepOutcomes(trace)).toEqual([{ stepId: 'mail', channel: 'EMAIL', reason: 'SENT', kind: 'sent' }])
})

test('a failure explains more than something left out', () => {
  const ended = (...trace: ReturnType<typeof entry>[]) => whyNot({ status: 'COMPLETED', trace })
  expect(ended(entry('a', 'PREFERENCE'), entry('b', 'REJECTED'))?.stepId).toBe('b')
  expect(ended(entry('a', 'PREFERENCE'), entry('b', 'SENT'))?.reason).toBe('PREFERENCE')
  expect(ended(entry('b', 'SENT'))).toBeUndefined()
  const trace = [entry('a', 'PREFERENCE'), entry('c', 'WAITING')]
  expect(whyNot({ status: 'WAITING', trace })?.stepId).toBe('c')
})

test('waits are drawn to scale', () => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString()
  const traced = (stepId: string, reason: TraceReason, seconds: number) => ({
    ...entry(stepId, reason),
    at: at(seconds),
    lastAt: at(seconds),
    until: null,
  })
  const { steps, total } = stepSpans(
    [
      traced('wait', 'WAITING', 0),
      traced('wait', 'CONTINUED', 80),
      traced('mail', 'QUEUED', 80),
      traced('mail', 'SENT', 100),
    ],
    0,
    100_000,
  )
  expect(total).toBe(100_000)
  expect(steps[0]!.spans[0]).toEqual({ kind: 'wait', from: 0, to: 0.8, ms: 80_000 })
  expect(steps[1]!.spans[0]).toEqual({ kind: 'send', from: 0.8, to: 1, ms: 20_000 })
  expect(steps[1]!.spans[1]!.to).toBeLessThanOrEqual(1)
  const open = stepSpans([traced('wait', 'WAITING', 50)], 0, 100_000)
  expect(open.steps[0]!.spans).toEqual([{ kind: 'wait', from: 0.5, to: 1, ms: 50_000 }])
})

test('a message went to its address, or to the inbox', () => {
  const none = { target: 'in_app', email: null, phone: null, directWebhookUrl: null, deviceTokens: null }
  expect(addressOf(none)).toBe('in_app')
  expect(addressOf({ ...none, deviceTokens: [] })).toBe('in_app')
  expect(addressOf({ ...none, deviceTokens: ['a', 'b'] })).toBe('a, b')
  expect(addressOf({ ...none, email: 'anna@example.org' })).toBe('anna@example.org')
})
