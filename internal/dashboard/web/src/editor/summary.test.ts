import { expect, test } from 'vitest'
import type { StepFilterInput, StepType, WorkflowStepInput } from '../gql'
import { stepText } from './kinds'
import { conditionText } from './summary'

/** A step of the type whose content is given: inApp is IN_APP. */
const step = (given: Partial<WorkflowStepInput>) => {
  const type = Object.keys(given)[0]!.replace('A', '_A').toUpperCase() as StepType
  return stepText({ type, ...given } as WorkflowStepInput)
}

test.each<[string, Partial<WorkflowStepInput>]>([
  [
    'Welcome, {{ subscriber.firstName }}',
    { email: { subject: 'Welcome, {{ subscriber.firstName }}', noLayout: false } },
  ],
  ['No subject yet', { email: { subject: '', noLayout: false } }],
  ['Hello all', { inApp: { body: '<b>Hello</b>\n all' } }],
  ['Collect for 1 hour', { digest: { type: 'REGULAR', amount: 1, unit: 'HOURS' } } as never],
  [
    'Until 09:00, every day',
    { digest: { type: 'TIMED', amount: 1, unit: 'DAYS', timed: { atTime: '09:00' } } } as never,
  ],
  [
    'Until 09:00, every 2 weeks',
    { digest: { type: 'TIMED', amount: 2, unit: 'WEEKS', timed: { atTime: '09:00' } } } as never,
  ],
  ['Wait for 3 days', { delay: { type: 'REGULAR', amount: 3, unit: 'DAYS', extendToSchedule: false } }],
  ['Wait until payload.due', { delay: { type: 'SCHEDULED', delayPath: 'payload.due', extendToSchedule: false } }],
  ['At most 1 within 2 hours', { throttle: { amount: 2, unit: 'HOURS' } }],
  ['Start other', { trigger: { workflow: 'other' } }],
  ['GET https://example.org', { custom: { url: 'https://example.org', method: 'GET' } }],
  ['E-mail', { email: null }],
])('%s', (text, given) => expect(step(given)).toBe(text))

const group = (value: 'AND' | 'OR', isNegated: boolean, ...fields: string[]): StepFilterInput => ({
  type: 'GROUP',
  value,
  isNegated,
  children: fields.map((field) => ({ on: 'PAYLOAD', field, operator: 'EQUAL', value: '1' })),
})

test('conditions are one sentence', () => {
  expect(conditionText([])).toBe('')
  expect(conditionText(null)).toBe('')
  expect(conditionText([group('AND', false, 'a', 'b')])).toBe('payload.a is 1 and payload.b is 1')
  expect(conditionText([group('OR', false, 'a', 'b'), group('AND', true, 'c')])).toBe(
    '(payload.a is 1 or payload.b is 1) and not (payload.c is 1)',
  )
})
