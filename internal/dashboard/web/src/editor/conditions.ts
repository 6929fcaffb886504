import type { FilterPartInput, StepFilterInput } from '../gql'
import { removeAt, replaceAt } from '../lists'

const newPart: FilterPartInput = { on: 'PAYLOAD', field: '', operator: 'EQUAL', value: '' }

/** Conditions with another group, which holds one empty condition. */
export const addGroup = (groups: readonly StepFilterInput[]): StepFilterInput[] => [
  ...groups,
  { isNegated: false, type: 'GROUP', value: 'AND', children: [newPart] },
]

/** Conditions with a group changed, or removed when it is undefined. */
export const setGroup = (groups: readonly StepFilterInput[], at: number, group?: StepFilterInput): StepFilterInput[] =>
  group ? replaceAt(groups, at, group) : removeAt(groups, at)

/** A group with another empty condition. */
export const addPart = (group: StepFilterInput): StepFilterInput => ({
  ...group,
  children: [...group.children, newPart],
})

/** A group with one of its conditions changed. */
export const setPart = (group: StepFilterInput, at: number, change: Partial<FilterPartInput>): StepFilterInput => ({
  ...group,
  children: group.children.map((p, i) => (i === at ? { ...p, ...change } : p)),
})

/** A group without one of its conditions; undefined when that was the last. */
export const removePart = (group: StepFilterInput, at: number): StepFilterInput | undefined =>
  group.children.length > 1 ? { ...group, children: removeAt(group.children, at) } : undefined
