import { expect, test } from 'vitest'
import { addGroup, addPart, removePart, setGroup, setPart } from './groups'

const part = { on: 'PAYLOAD', field: '', operator: 'EQUAL', value: '' }

test('a new group holds one empty condition', () => {
  expect(addGroup([])).toEqual([{ isNegated: false, type: 'GROUP', value: 'AND', children: [part] }])
  expect(addGroup(addGroup([]))).toHaveLength(2)
})

test('conditions of a group are added, changed and removed', () => {
  const [group] = addGroup([])
  const two = setPart(addPart(group!), 1, { field: 'plan', value: 'pro' })
  expect(two.children).toEqual([part, { ...part, field: 'plan', value: 'pro' }])
  expect(removePart(two, 0)?.children).toEqual([{ ...part, field: 'plan', value: 'pro' }])
  expect(group?.children).toEqual([part])
})

test('a group goes with its last condition', () => {
  const groups = addGroup(addGroup([])).map((g, i) => ({ ...g, isNegated: i === 1 }))
  expect(removePart(groups[0]!, 0)).toBeUndefined()
  expect(setGroup(groups, 0, removePart(groups[0]!, 0))).toEqual([groups[1]])
  expect(setGroup(groups, 0, groups[1])).toEqual([groups[1], groups[1]])
})

test('new conditions are about what they are asked for', () => {
  const [group] = addGroup([], 'SUBSCRIBER')
  expect(addPart(group!, 'SUBSCRIBER').children.map((p) => p.on)).toEqual(['SUBSCRIBER', 'SUBSCRIBER'])
})
