import { expect, test } from 'vitest'
import { inputFor, membersOf, others, setMember, setOthers } from './members'

const members = membersOf({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', description: 'Of the reader.', examples: ['Ada'] },
    total: { type: 'integer', default: 7 },
    paid: { type: 'boolean' },
    state: { enum: ['open', 'sent'] },
    level: { enum: [1, 2] },
    lines: { type: 'array' },
    any: { type: ['string', 'null'] },
    all: true,
  },
})!

test('members of a schema have the fields of their types', () => {
  expect(members.map((m) => [m.name, m.input])).toEqual([
    ['name', 'text'],
    ['total', 'number'],
    ['paid', 'boolean'],
    ['state', 'choice'],
    ['level', 'json'],
    ['lines', 'json'],
    ['any', 'json'],
    ['all', 'json'],
  ])
  expect(members[0]).toMatchObject({ required: true, description: 'Of the reader.', example: 'Ada' })
  expect(members[1]).toMatchObject({ required: false, example: '7' })
})

test.each([
  undefined,
  null,
  {},
  { type: 'object' },
  { type: 'object', properties: {} },
  { type: 'string' },
  { $ref: '#' },
])('a schema that names no members is left to JSON: %j', (schema) => expect(membersOf(schema)).toBeUndefined())

test('a value that does not fit its field is JSON', () => {
  const [name, total, , state] = members
  expect(inputFor(name!, 'Ada')).toBe('text')
  expect(inputFor(name!, undefined)).toBe('text')
  expect(inputFor(name!, 5)).toBe('json')
  expect(inputFor(total!, null)).toBe('json')
  expect(inputFor(state!, 'open')).toBe('choice')
  expect(inputFor(state!, 'lost')).toBe('json')
})

test('changes keep what the schema does not name', () => {
  const payload = { name: 'Ada', extra: [1] }
  expect(setMember(payload, 'total', 3)).toEqual({ name: 'Ada', extra: [1], total: 3 })
  expect(setMember(payload, 'name', undefined)).toEqual({ extra: [1] })
  expect(others(payload, members)).toEqual({ extra: [1] })
  expect(others({ name: 'Ada' }, members)).toBeUndefined()
  expect(setOthers(payload, members, { more: 1 })).toEqual({ name: 'Ada', more: 1 })
  expect(setOthers(payload, members, undefined)).toEqual({ name: 'Ada' })
})
