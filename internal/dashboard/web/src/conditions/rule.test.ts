import { expect, test } from 'vitest'
import { addGroup, type Operator, type Part } from './groups'
import { readRule, writeRule } from './rule'
import { listOf, scalarOf, textOf, textOfList } from './values'

const v = (field: string) => ({ var: `subscriber.${field}` })
const part = (field: string, operator: Operator, value = ''): Part => ({ on: 'SUBSCRIBER', field, operator, value })

test.each<[string, Part, unknown]>([
  ['a text', part('locale', 'EQUAL', 'de'), { '==': [v('locale'), 'de'] }],
  ['a number', part('data.age', 'LARGER_EQUAL', '18'), { '>=': [v('data.age'), 18] }],
  ['a text like a number', part('data.code', 'NOT_EQUAL', '"18"'), { '!=': [v('data.code'), '18'] }],
  ['the same type', part('data.paid', 'IDENTICAL', 'true'), { '===': [v('data.paid'), true] }],
  ['one of', part('data.plan', 'IN', 'gold, silver'), { in: [v('data.plan'), ['gold', 'silver']] }],
  ['none of', part('data.plan', 'NOT_IN', '1, 2'), { '!': [{ in: [v('data.plan'), [1, 2]] }] }],
  ['has one of', part('data.tags', 'ANY_IN', 'a, b'), { some: [v('data.tags'), { in: [{ var: '' }, ['a', 'b']] }] }],
  [
    'has all of',
    part('data.tags', 'ALL_IN', 'a, b'),
    { and: [{ in: ['a', v('data.tags')] }, { in: ['b', v('data.tags')] }] },
  ],
  ['between', part('data.age', 'BETWEEN', '18, 65'), { '<=': [18, v('data.age'), 65] }],
  ['not between', part('data.age', 'NOT_BETWEEN', '18, 65'), { '!': [{ '<=': [18, v('data.age'), 65] }] }],
  ['contains', part('email', 'LIKE', '@example.org'), { in: ['@example.org', v('email')] }],
  ['does not contain', part('email', 'NOT_LIKE', '@'), { '!': [{ in: ['@', v('email')] }] }],
  ['has a value', part('phone', 'SET'), { '!!': [v('phone')] }],
  ['has no value', part('phone', 'NOT_SET'), { '!': [v('phone')] }],
])('%s is read and written', (_, condition, rule) => {
  const read = readRule(rule)
  expect(read?.groups).toEqual([{ isNegated: false, type: 'GROUP', value: 'AND', children: [condition] }])
  expect(writeRule(read!)).toEqual(rule)
})

const a = { '==': [v('locale'), 'de'] }
const b = { '>': [v('data.age'), 18] }
const c = { '!!': [v('email')] }

test.each([
  ['one group', { and: [a, b] }],
  ['one of', { or: [a, b, c] }],
  ['groups', { and: [{ or: [a, b] }, c] }],
  ['one of several groups', { or: [{ and: [a, b] }, { and: [b, c] }] }],
  ['a negated group', { and: [a, { '!': [{ or: [b, c] }] }] }],
  ['a negated comparison', { '!': [a] }],
  ['two negated lists', { or: [{ '!': [{ and: [{ in: ['x', v('data.t')] }, { in: ['y', v('data.t')] }] }] }, a] }],
])('%s survive', (_, rule) => expect(writeRule(readRule(rule)!)).toEqual(rule))

test('what is written shorter means the same', () => {
  expect(writeRule(readRule({ and: [{ or: [a] }] })!)).toEqual(a)
  expect(writeRule(readRule({ '!!': v('email') })!)).toEqual(c)
  expect(writeRule(readRule({ '!!': [{ var: ['subscriber.email'] }] })!)).toEqual(c)
})

test.each([
  ['arithmetic', { '>': [{ '+': [v('data.a'), 1] }, 3] }],
  ['a default', { '==': [{ var: ['subscriber.locale', 'de'] }, 'de'] }],
  ['another root', { '==': [{ var: 'payload.total' }, 3] }],
  ['two fields', { '==': [v('firstName'), v('lastName')] }],
  ['if', { if: [a, true, b] }],
  ['three levels', { and: [{ or: [{ and: [a, b] }, c] }, a] }],
  ['a double negation', { '!': [{ '!': [a] }] }],
  ['an exclusive range', { '<': [1, v('data.age'), 3] }],
  ['a list of lists', { in: [v('data.x'), [['a']]] }],
  ['the opposite order', { '==': ['de', v('locale')] }],
  ['an operand too many', { '==': [v('locale'), 'de', 1] }],
  ['none of a list', { none: [v('data.t'), { in: [{ var: '' }, ['a']] }] }],
  ['another iteration', { some: [v('data.t'), { '==': [{ var: '' }, ['a']] }] }],
  ['no operation', { a: 1, b: 2 }],
  ['nothing', {}],
])('%s is left to JSON', (_, rule) => expect(readRule(rule)).toBeUndefined())

test('no conditions are no rule', () => {
  expect(readRule(null)).toEqual({ join: 'AND', groups: [] })
  expect(writeRule({ join: 'OR', groups: [] })).toBeNull()
  expect(writeRule({ join: 'AND', groups: addGroup([], 'SUBSCRIBER') })).toEqual({ '==': [v(''), ''] })
})

test('typed values keep their type', () => {
  for (const value of [
    '',
    ' x ',
    'de',
    '5',
    'true',
    'null',
    '"a"',
    '01',
    '1.',
    '+49',
    5,
    -0.5,
    1e21,
    true,
    false,
    null,
  ])
    expect(scalarOf(textOf(value)), JSON.stringify(value)).toBe(value)
  for (const list of [[], [''], ['a', 'b'], ['a,b'], ['[', ']'], ['[1]'], ['1', 1, true, null], [' a']])
    expect(listOf(textOfList(list)), JSON.stringify(list)).toEqual(list)
  expect(textOfList(['gold', 'silver'])).toBe('gold, silver')
  expect(listOf('[broken, list')).toEqual(['[broken', 'list'])
})
