import { t } from '../text/text'
import type { Operator } from './groups'

/** The operators of the conditions of steps. */
export const stepOperators: readonly Operator[] = [
  'EQUAL',
  'NOT_EQUAL',
  'LARGER',
  'SMALLER',
  'LARGER_EQUAL',
  'SMALLER_EQUAL',
  'IN',
  'NOT_IN',
  'ANY_IN',
  'ALL_IN',
  'BETWEEN',
  'NOT_BETWEEN',
  'LIKE',
  'NOT_LIKE',
]

/** The operators of rules, which also ask for types, and whether there is a value. */
export const ruleOperators: readonly Operator[] = [...stepOperators, 'SET', 'NOT_SET', 'IDENTICAL', 'NOT_IDENTICAL']

/** An operator as people read it: is larger than. */
export const operatorText = (operator: Operator): string => t(`filters.operator.${operator}`)
