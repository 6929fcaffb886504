import { expect, test } from 'vitest'
import { dataPaths, schemaPaths, stepFields, usualValues } from './fields'

const schema = {
  type: 'object',
  properties: {
    total: { type: 'number' },
    paid: { type: 'boolean' },
    order: { type: 'object', properties: { state: { enum: ['open', 'sent'] }, lines: { type: 'array', items: {} } } },
  },
}

test('fields of a payload are those of its schema', () => {
  expect(schemaPaths(schema)).toEqual(['total', 'paid', 'order', 'order.state', 'order.lines'])
  expect(schemaPaths(undefined)).toEqual([])
  expect(schemaPaths({ properties: [] })).toEqual([])
  const endless: Record<string, unknown> = {}
  endless.properties = { a: endless, b: endless }
  expect(schemaPaths(endless).length).toBeLessThanOrEqual(200)
})

test('fields of data are those that subscribers have', () => {
  expect(
    dataPaths([{ plan: 'gold', home: { city: 'Graz' } }, null, 'x', { plan: 'silver', tags: [{ a: 1 }] }]),
  ).toEqual(['home', 'home.city', 'plan', 'tags'])
})

test('steps are asked for what became of them', () => {
  expect(stepFields([{ stepId: 'mail' }, { stepId: undefined }])).toContain('mail.read')
  expect(stepFields([{ stepId: 'mail' }])).toHaveLength(7)
})

test('values are offered where there are few', () => {
  expect(usualValues(schema, 'PAYLOAD', 'order.state')).toEqual(['open', 'sent'])
  expect(usualValues(schema, 'PAYLOAD', 'paid')).toEqual(['true', 'false'])
  expect(usualValues(schema, 'STEP', 'mail.read')).toEqual(['true', 'false'])
  expect(usualValues(schema, 'STEP', 'mail.response.x')).toEqual([])
  expect(usualValues(schema, 'SUBSCRIBER', 'paid')).toEqual([])
  expect(usualValues(schema, 'PAYLOAD', 'order.lines.0')).toEqual([])
})
