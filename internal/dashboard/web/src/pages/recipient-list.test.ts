import { expect, test } from 'vitest'
import { canBePaced, recipientsOf, toInput } from './recipient-list'

test('recipients of every kind are read and written', () => {
  const to = [
    { subscriberId: 'ada', topic: null, audience: null },
    { topic: { topicKey: 'news', exclude: ['eve', 'bob'] } },
    { topic: { topicKey: 'all', exclude: null } },
    { audience: 'gold' },
  ]
  expect(toInput(recipientsOf(to))).toEqual([
    { subscriberId: 'ada' },
    { topic: { topicKey: 'news', exclude: ['eve', 'bob'] } },
    { topic: { topicKey: 'all' } },
    { audience: 'gold' },
  ])
})

test('no recipients are every subscriber', () => {
  expect(recipientsOf(null)).toBeUndefined()
  expect(toInput(undefined)).toBeNull()
  expect(canBePaced(undefined)).toBe(true)
})

test('named subscribers alone have no pace', () => {
  expect(canBePaced(recipientsOf([{ subscriberId: 'ada' }]))).toBe(false)
  expect(canBePaced(recipientsOf([{ subscriberId: 'ada' }, { audience: 'gold' }]))).toBe(true)
})
