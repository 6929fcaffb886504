import { describe, expect, test } from 'vitest'
import { addField, isSimple, removeField, type Schema, setField, setRequired } from './payload-schema'

const schema: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', description: 'in years' } },
  required: ['name'],
}

describe('the form serves', () => {
  test.each([[schema], [{ type: 'object' }], [{ type: 'object', properties: {}, required: [] }]])('%j', (s) =>
    expect(isSimple(s)).toBe(true),
  )
})

describe('the form does not serve', () => {
  test.each([
    [null],
    [[]],
    [{ type: 'array' }],
    [{ ...schema, additionalProperties: false }],
    [{ type: 'object', properties: { a: { type: 'string', format: 'email' } } }],
    [{ type: 'object', properties: { a: { type: 'null' } } }],
    [{ type: 'object', properties: [] }],
    [{ type: 'object', properties: {}, required: 'name' }],
  ])('%j', (s) => expect(isSimple(s)).toBe(false))
})

test('a new field gets a name that is not taken', () => {
  const empty: Schema = { type: 'object', properties: {} }
  const two = addField(addField(empty))
  expect(two).toEqual({ type: 'object', properties: { field: { type: 'string' }, field2: { type: 'string' } } })
})

test('a field is renamed where it is, and stays required', () => {
  const changed = setField(schema, 0, 'title', { type: 'string' })
  expect(Object.keys(changed?.properties ?? {})).toEqual(['title', 'age'])
  expect(changed?.required).toEqual(['title'])
})

test('two fields do not share a name', () => {
  expect(setField(schema, 0, 'age', { type: 'string' })).toBeUndefined()
  expect(setField(schema, 0, 'name', { type: 'number' })?.properties.name).toEqual({ type: 'number' })
})

test('a field is removed with its requirement', () => {
  expect(removeField(schema, 0)).toEqual({ type: 'object', properties: { age: schema.properties.age } })
  expect(removeField(schema, 1).required).toEqual(['name'])
})

test('a field is required or not', () => {
  expect(setRequired(schema, 'age', true).required).toEqual(['name', 'age'])
  expect(setRequired(schema, 'name', false)).not.toHaveProperty('required')
})
