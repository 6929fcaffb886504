import { expect, test } from 'vitest'
import type { StepType, WorkflowStepInput } from '../gql'
import { addStep, isChannelStep, stepTypes } from './kinds'
import {
  addVariant,
  duplicateStep,
  formatHeaders,
  isAfterDigest,
  moveStep,
  parseHeaders,
  sectionOf,
  variantAsStep,
  variantFirst,
} from './steps'

const controls = {
  IN_APP: 'inApp',
  EMAIL: 'email',
  SMS: 'sms',
  CHAT: 'chat',
  PUSH: 'push',
  DIGEST: 'digest',
  DELAY: 'delay',
  THROTTLE: 'throttle',
  TRIGGER: 'trigger',
  CUSTOM: 'custom',
}

const newStep = (type: StepType, taken: readonly WorkflowStepInput[] = []) => addStep(taken, type).at(-1)!

test.each(stepTypes)('a new step %s has the controls of its type and no others', (type) => {
  const step = newStep(type)
  expect(Object.values(controls).filter((name) => name in step)).toEqual([controls[type]])
  expect(step).toMatchObject({ type, active: true, unknownOutcome: 'RETRY', allowDuplicate: false })
})

test('a new step gets an identifier that is not taken', () => {
  expect(newStep('IN_APP').stepId).toBe('in-app')
  const steps = addStep(addStep([], 'SMS'), 'SMS')
  expect(steps.map((s) => s.stepId)).toEqual(['sms', 'sms-2'])
  expect(addStep(steps, 'SMS', 1).map((s) => s.stepId)).toEqual(['sms', 'sms-3', 'sms-2'])
})

test('channel steps are those that send', () => {
  expect(stepTypes.filter(isChannelStep)).toEqual(['IN_APP', 'EMAIL', 'SMS', 'CHAT', 'PUSH'])
})

test('a step moves among the others', () => {
  const steps = [newStep('SMS'), newStep('CHAT'), newStep('PUSH')]
  expect(moveStep(steps, 2, 0).map((s) => s.type)).toEqual(['PUSH', 'SMS', 'CHAT'])
  expect(moveStep(steps, 0, 1).map((s) => s.type)).toEqual(['CHAT', 'SMS', 'PUSH'])
  expect(moveStep(steps, 0, -1)).toEqual(steps)
  expect(moveStep(steps, 0, 3)).toEqual(steps)
})

test('a copy has no record and an identifier of its own', () => {
  const saved = { ...newStep('SMS'), id: '1', variants: [{ id: '2', name: 'v', filters: [], sms: { body: 'v' } }] }
  const copies = duplicateStep(duplicateStep([saved], 0), 0)
  expect(copies.map((s) => [s.stepId, s.id])).toEqual([
    ['sms', '1'],
    ['sms-copy-2', undefined],
    ['sms-copy', undefined],
  ])
  expect(copies[1]!.variants).toEqual([{ name: 'v', filters: [], sms: { body: 'v' } }])
})

test('a field is in a section of the panel', () => {
  expect(
    ['filters.0.children.0.field', 'stepId', 'replyCallback.url', 'email.subject', 'variants.0.filters.0'].map(
      sectionOf,
    ),
  ).toEqual(['Conditions', 'Settings', 'Settings', 'Content', 'Content'])
})

const step: WorkflowStepInput = {
  ...newStep('EMAIL'),
  email: { subject: 'own', html: 'own' },
  variants: [{ name: 'one', filters: [], email: { subject: 'one', html: 'one' } }],
}

test('a variant is sent as its step with other content', () => {
  expect(variantAsStep(step, step.variants?.[0])).toMatchObject({ stepId: 'email', email: { subject: 'one' } })
  expect(variantAsStep(step)).toMatchObject({ email: { subject: 'own' } })
  expect(variantAsStep(step)).not.toHaveProperty('variants')
  expect(variantAsStep(step, step.variants?.[0])).not.toHaveProperty('variants')
})

test('a new variant begins with the content of the step', () => {
  const variants = addVariant(step)
  expect(variants).toHaveLength(2)
  expect(variants[1]).toMatchObject({ name: 'Variant 2', filters: [], email: { subject: 'own' } })
  expect(addVariant(newStep('SMS'))[0]).toMatchObject({ name: 'Variant 1', sms: { body: '' } })
})

test('a variant becomes the first', () => {
  const variants = ['a', 'b', 'c'].map((name) => ({ name, filters: [] }))
  expect(variantFirst(variants, 2).map((v) => v.name)).toEqual(['c', 'a', 'b'])
  expect(variantFirst(variants, 5)).toEqual(variants)
})

test('headers are lines', () => {
  expect(parseHeaders('Authorization: Bearer a:b\n\n X-One :1\nX-Empty\n: none')).toEqual({
    Authorization: 'Bearer a:b',
    'X-One': '1',
    'X-Empty': '',
  })
  const headers = { Authorization: 'Bearer a:b', 'X-One': '1' }
  expect(formatHeaders(headers)).toBe('Authorization: Bearer a:b\nX-One: 1')
  expect(parseHeaders(formatHeaders(headers))).toEqual(headers)
})

test('templates see the events of a digest before their step', () => {
  const steps = [newStep('SMS'), newStep('DIGEST'), newStep('SMS')]
  expect([0, 1, 2].map((at) => isAfterDigest(steps, at))).toEqual([false, false, true])
})
