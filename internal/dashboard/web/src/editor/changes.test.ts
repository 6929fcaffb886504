import { expect, test } from 'vitest'
import type { WorkflowDefinitionInput, WorkflowStepInput } from '../gql'
import { changes } from './changes'

const sms = (id: string, body = 'x') => ({ id, stepId: id, name: id, type: 'SMS', sms: { body } }) as WorkflowStepInput
const of = (...steps: WorkflowStepInput[]): WorkflowDefinitionInput => ({ steps })

test('nothing changed', () => {
  expect(changes(of(sms('a')), of(sms('a')))).toEqual([])
  expect(changes({ steps: [], critical: false }, { steps: [] })).toEqual([])
})

test('steps are added, removed, moved and changed', () => {
  const before = of(sms('a'), sms('b'), sms('c'))
  expect(changes(before, of(sms('c'), sms('a'), sms('d', 'new'), sms('b', 'y')))).toEqual([
    { kind: 'moved', step: 'c (SMS)', fields: [] },
    { kind: 'added', step: 'd (SMS)', fields: [] },
    { kind: 'changed', step: 'b (SMS)', fields: [{ path: 'sms.body', before: 'x', after: 'y' }] },
  ])
  expect(changes(before, of(sms('a'), sms('c')))).toEqual([{ kind: 'removed', step: 'b (SMS)', fields: [] }])
})

test('a step without a record yet is known by its identifier and type', () => {
  const { id: _, ...unsaved } = sms('a', 'y')
  expect(changes(of(sms('a')), of(unsaved))).toEqual([
    { kind: 'changed', step: 'a (SMS)', fields: [{ path: 'sms.body', before: 'x', after: 'y' }] },
  ])
})

test('settings of the workflow change', () => {
  expect(changes({ steps: [], tags: ['a'] }, { steps: [], tags: ['a', 'b'], critical: true })).toEqual([
    {
      kind: 'changed',
      fields: [
        { path: 'tags.1', before: undefined, after: 'b' },
        { path: 'critical', before: undefined, after: 'true' },
      ],
    },
  ])
})
