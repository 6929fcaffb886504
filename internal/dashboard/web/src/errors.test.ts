import { describe, expect, test } from 'vitest'
import { APIError, errorsByStep, joinPath, messagesAt, parseJSON, toAPIError, variantWithError } from './errors'

test('an answer becomes an error whose paths begin below the argument', () => {
  const error = toAPIError({
    message: 'invalid',
    extensions: { code: 'INVALID', fields: [{ path: 'input.name', message: 'is required' }] },
  })
  expect(error).toMatchObject({
    message: 'invalid',
    code: 'INVALID',
    fields: [{ path: 'name', message: 'is required' }],
  })
  expect(toAPIError({ message: 'x' })).toMatchObject({ code: '', fields: [] })
  const inner = toAPIError({ message: 'x', extensions: { fields: [{ path: 'my.input.name', message: 'm' }] } })
  expect(inner.fields[0]?.path).toBe('my.input.name')
})

test('a field shows the messages for itself and for what is below it', () => {
  const fields = [
    { path: 'definition.steps.1', message: 'a' },
    { path: 'definition.steps.1.email.subject', message: 'b' },
    { path: 'definition.steps.10', message: 'c' },
  ]
  expect(messagesAt(fields, 'definition.steps.1')).toBe('a; b')
  expect(messagesAt(fields, 'definition.steps.1.email')).toBe('b')
  expect(messagesAt(fields, 'definition.steps.2')).toBe('')
  expect(joinPath('', 'name')).toBe('name')
  expect(joinPath('definition', 'name')).toBe('definition.name')
})

describe('errors of steps', () => {
  const error = new APIError('invalid', '', [
    { path: 'definition.steps.2.email.subject', message: 'a' },
    { path: 'definition.steps.2.variants.1.email.html', message: 'b' },
    { path: 'definition.steps.12', message: 'c' },
    { path: 'definition.conditions.0', message: 'd' },
  ])
  test('are grouped by position, with paths inside the step', () => {
    expect([...errorsByStep(error)]).toEqual([
      [
        2,
        [
          { path: 'email.subject', message: 'a' },
          { path: 'variants.1.email.html', message: 'b' },
        ],
      ],
      [12, [{ path: '', message: 'c' }]],
    ])
    expect(errorsByStep(new Error('x')).size).toBe(0)
    expect(errorsByStep(undefined).size).toBe(0)
  })
  test('name the variant that they lie in', () => {
    expect(variantWithError([{ path: 'variants.11.email.html', message: '' }])).toBe(11)
    expect(variantWithError([{ path: 'email.subject', message: '' }])).toBe(-1)
    expect(variantWithError([])).toBe(-1)
  })
})

test('typed JSON is parsed, or the error names its field', () => {
  expect(parseJSON(' {"a": [1]} ', 'Data')).toEqual({ a: [1] })
  expect(parseJSON('  ', 'Data')).toBeNull()
  expect(parseJSON('null', 'Data')).toBeNull()
  expect(() => parseJSON('{', 'Data', 'data')).toThrow(/^Data is not valid JSON: /)
  try {
    parseJSON('{', 'Data', 'data')
    expect.unreachable()
  } catch (e) {
    expect((e as APIError).fields).toEqual([{ path: 'data', message: (e as Error).message }])
  }
  expect(() => parseJSON('{', 'Data')).toThrow(expect.objectContaining({ fields: [] }))
})
