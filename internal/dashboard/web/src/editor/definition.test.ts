import { expect, test } from 'vitest'
import type { DefinitionPartsFragment, FilterPartsFragment } from '../gql'
import { toFilters, toInput } from './definition'

const read = (value: unknown) => toInput(value as DefinitionPartsFragment) as unknown

test('what is not set is not written', () => {
  expect(read({ tags: null, description: '', steps: [{ stepId: 'mail', deadlineSeconds: 0, email: null }] })).toEqual({
    steps: [{ stepId: 'mail' }],
  })
})

test('what is required is written although it is empty', () => {
  const email = { subject: '', html: '', preheader: '' }
  expect(read({ steps: [{ email, sms: { body: '' } }] })).toEqual({
    steps: [{ email: { subject: '', html: '' }, sms: { body: '' } }],
  })
})

test('false and a threshold of zero are values', () => {
  expect(read({ critical: false, steps: [{ throttle: { threshold: 0, amount: 0 } }] })).toEqual({
    critical: false,
    steps: [{ throttle: { threshold: 0 } }],
  })
})

test('data of the user is written as it is', () => {
  const data = { empty: '', none: null, zero: 0, list: [] }
  expect(read({ data, payloadSchema: { default: '' }, steps: [{ custom: { headers: { 'X-Empty': '' } } }] })).toEqual({
    data,
    payloadSchema: { default: '' },
    steps: [{ custom: { headers: { 'X-Empty': '' } } }],
  })
})

test('conditions keep empty values', () => {
  const children = [{ on: 'PAYLOAD', field: '', operator: 'EQUAL', value: '', other: null }]
  expect(toFilters([{ isNegated: false, value: 'AND', children }] as unknown as FilterPartsFragment[])).toEqual([
    { isNegated: false, value: 'AND', children: [{ on: 'PAYLOAD', field: '', operator: 'EQUAL', value: '' }] },
  ])
  expect(toFilters(null)).toEqual([])
})
