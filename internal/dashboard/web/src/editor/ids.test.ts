import { expect, test } from 'vitest'
import type { WorkflowStepInput } from '../gql'
import { recordIds, withIds } from './ids'

const step = (stepId: string, id?: string) => ({ stepId, type: 'SMS', id }) as WorkflowStepInput

test('a step that was saved meanwhile keeps its record', () => {
  const ids = recordIds([step('a', '1'), step('b', '2'), step('c')])
  expect(withIds([step('b'), step('d')], ids)).toEqual([step('b', '2'), step('d')])
})

test('no two steps get one record', () => {
  const ids = recordIds([step('a', '1')])
  expect(withIds([step('renamed', '1'), step('a')], ids).map((s) => s.id)).toEqual(['1', undefined])
})
