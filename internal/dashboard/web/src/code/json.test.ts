import { expect, test } from 'vitest'
import { difference } from './difference'
import { formatJSON } from './format'
import { jsonMarks, jsonOffers } from './json'
import { schemaOf } from './schemas'

const order = {
  type: 'object',
  required: ['count', 'address'],
  properties: {
    status: { enum: ['open', 'paid'] },
    count: { type: 'integer' },
    urgent: { type: 'boolean' },
    note: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    items: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
  },
  $defs: { address: { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false } },
}

/** A text with the place of the cursor in it. */
const at = (text: string) => [text.replace('|', ''), text.indexOf('|')] as const
const offered = (text: string, schema: unknown = order) => jsonOffers(...at(text), schema)?.offers.map((o) => o.label)
const taken = (text: string, label: string, schema: unknown = order) => {
  const [plain, position] = at(text)
  const found = jsonOffers(plain, position, schema)!
  const { insert, cursor } = found.offers.find((o) => o.label === label)!
  return `${plain.slice(0, found.from)}${insert.slice(0, cursor)}|${insert.slice(cursor)}${plain.slice(found.to)}`
}
const marked = (text: string, schema?: unknown) =>
  jsonMarks(text, schema).map(({ from, to, severity, message }) => [text.slice(from, to), severity, message])

test('members that the schema names are offered, but not those that are there', () => {
  expect(offered('{|')).toEqual(['status', 'count', 'urgent', 'note', 'address', 'items'])
  expect(offered('{"count": 1, "|"}')).toEqual(['status', 'urgent', 'note', 'address', 'items'])
  expect(offered('{\n  "count": 1,\n  st|\n}')).toContain('status')
  expect(offered('{"address": {"|"}}')).toEqual(['city'])
  expect(offered('{"items": [{"sku": "a"}, {|}]}')).toEqual(['sku'])
  expect(offered('{"count": 1 |}')).toBeUndefined()
  expect(offered('{"note": "a, {|"}')).toBeUndefined()
})

test('values of enumerations and booleans are offered', () => {
  expect(offered('{"status": |')).toEqual(['"open"', '"paid"'])
  expect(offered('{"status": "p|"}')).toEqual(['"open"', '"paid"'])
  expect(offered('{"urgent": t|}')).toEqual(['true', 'false'])
  expect(offered('|', { enum: [1, 2] })).toEqual(['1', '2'])
  expect(offered('[1, |', { type: 'array', items: { const: 7 } })).toEqual(['7'])
})

test('what is taken has quotes, a colon and the beginning of its value', () => {
  expect(taken('{"st|"}', 'status')).toBe('{"status": |}')
  expect(taken('{no|', 'note')).toBe('{"note": "|"')
  expect(taken('{"|": {}}', 'address')).toBe('{"address"|: {}}')
  expect(taken('{"ad|', 'address')).toBe('{"address": {|}')
  expect(taken('{"status": "op|"}', '"open"')).toBe('{"status": "open"|}')
  expect(jsonOffers('{', 1, order)?.offers.map((o) => [o.first, o.again])[1]).toEqual([true, false])
})

test('a fault of the syntax is marked at its place', () => {
  expect(marked('{"a": x}')).toEqual([['x', 'error', "Unexpected token 'x'"]])
  expect(marked('{"a": 1 "b": 2}')[0]![0]).toBe('"')
  expect(marked('{"a": [1, 2')[0]![0]).toBe('2')
  expect(marked('  ')).toEqual([])
})

test('what the schema does not allow is marked', () => {
  expect(marked('{"count": "1", "address": {"town": "X"}, "status": "new"}', order)).toEqual([
    ['"1"', 'warning', 'The type must be integer.'],
    ['"town"', 'warning', 'The schema does not know town.'],
    ['"new"', 'warning', 'The value must be one of "open", "paid".'],
  ])
  expect(marked('{"count": 1}', order)).toEqual([['{', 'warning', 'address is missing.']])
  expect(marked('{"count": "{{ payload.n }}", "address": {}}', order)).toEqual([])
  expect(marked('{"items": [{}, {"sku": 1}], "count": 1, "address": {}}', order)[0]![0]).toBe('1')
})

test('alternatives are met when one is', () => {
  const either = { anyOf: [{ type: 'string' }, { type: 'object', required: ['id'] }] }
  expect(marked('"a"', either)).toEqual([])
  expect(marked('{"id": 1}', either)).toEqual([])
  expect(marked('{}', either)).toEqual([['{', 'warning', 'id is missing.']])
  const loop = { $ref: '#' }
  expect(marked('1', loop)).toEqual([])
  expect(offered('{|', loop)).toBeUndefined()
})

test('a schema and a rule are completed as such', () => {
  expect(offered('{"properties": {"a": {"type": "|"}}}', schemaOf('schema'))).toContain('"integer"')
  expect(offered('{"|"}', schemaOf('rule'))).toContain('and')
  expect(offered('{"==": [{"var": "|"}]}', schemaOf('rule'))).toContain('"subscriber.locale"')
  expect(marked('{"equals": [1, 2]}', schemaOf('rule'))[0]![0]).toBe('"equals"')
  expect(marked('{"==": [{"var": "subscriber.locale"}, "de"]}', schemaOf('rule'))).toEqual([])
})

test('formatting keeps numbers and strings as they are', () => {
  expect(formatJSON('{"a":12345678901234567890,"b":[],"c":["x, {y", {"d":1.0}]}')).toBe(
    '{\n  "a": 12345678901234567890,\n  "b": [],\n  "c": [\n    "x, {y",\n    {\n      "d": 1.0\n    }\n  ]\n}',
  )
  expect(formatJSON('{"a":')).toBe('{"a":')
})

test('a change is as small as it can be', () => {
  expect(difference('abc', 'abc')).toBeUndefined()
  expect(difference('abcd', 'abxd')).toEqual({ from: 2, to: 3, insert: 'x' })
  expect(difference('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' })
})

test('a schema whose references lead in circles, or nowhere, ends', () => {
  const again = { $ref: '#' }
  const circle = {
    allOf: [again, again, again],
    anyOf: [again, again, again],
    properties: { a: { ...again, allOf: [again] }, b: { $ref: '#/%' }, c: { type: 'integer' } },
  }
  expect(offered('{"a": {"a": {"|"}}}', circle)).toEqual(['a', 'b', 'c'])
  expect(marked('{"a": {"a": {"c": "x"}}}', circle).length).toBeGreaterThan(0)
  expect(marked('{"b": 1}', circle)).toEqual([])
})
