import type { FilterOn, FilterOperator, StepFilterInput } from '../gql'
import { removeAt, replaceAt } from '../lists'

/** How a value is compared. Rules know more ways than the conditions of steps. */
export type Operator = FilterOperator | 'IDENTICAL' | 'NOT_IDENTICAL' | 'SET' | 'NOT_SET'

/** One comparison. */
export type Part = { on: FilterOn; field: string; operator: Operator; value: string }

/** Comparisons that are joined by AND or OR. */
export type Group = Omit<StepFilterInput, 'children'> & { children: readonly Part[] }

const newPart = (on: FilterOn): Part => ({ on, field: '', operator: 'EQUAL', value: '' })

/** Conditions with another group, which holds one empty condition. */
export const addGroup = (groups: readonly Group[], on: FilterOn = 'PAYLOAD'): Group[] => [
  ...groups,
  { isNegated: false, type: 'GROUP', value: 'AND', children: [newPart(on)] },
]

/** Conditions with a group changed, or removed when it is undefined. */
export const setGroup = (groups: readonly Group[], at: number, group?: Group): Group[] =>
  group ? replaceAt(groups, at, group) : removeAt(groups, at)

/** A group with another empty condition. */
export const addPart = (group: Group, on: FilterOn = 'PAYLOAD'): Group => ({
  ...group,
  children: [...group.children, newPart(on)],
})

/** A group with one of its conditions changed. */
export const setPart = (group: Group, at: number, change: Partial<Part>): Group => ({
  ...group,
  children: group.children.map((p, i) => (i === at ? { ...p, ...change } : p)),
})

/** A group without one of its conditions; undefined when that was the last. */
export const removePart = (group: Group, at: number): Group | undefined =>
  group.children.length > 1 ? { ...group, children: removeAt(group.children, at) } : undefined
