import { expect, test } from 'vitest'
import { delayOfType, digestOfType, looksBack, timedEvery, timedMonthly, withBackoff } from './timing'

test('a digest of another type has the fields of that type', () => {
  expect(digestOfType('TIMED')).toEqual({
    type: 'TIMED',
    amount: 1,
    unit: 'DAYS',
    backoff: false,
    backoffAmount: undefined,
    backoffUnit: undefined,
    timed: { atTime: '09:00' },
  })
  expect(digestOfType('BACKOFF')).toEqual({ type: 'BACKOFF', timed: undefined, backoffAmount: 1, backoffUnit: 'HOURS' })
  expect(digestOfType('REGULAR')).toEqual({ type: 'REGULAR', timed: undefined })
})

test('the look-back window comes and goes with its switch', () => {
  expect(withBackoff(true)).toEqual({ backoff: true, backoffAmount: 1, backoffUnit: 'HOURS' })
  expect(withBackoff(false)).toEqual({ backoff: false, backoffAmount: undefined, backoffUnit: undefined })
  expect(looksBack({ type: 'BACKOFF' })).toBe(true)
  expect(looksBack({ type: 'REGULAR', backoff: true })).toBe(true)
  expect(looksBack({ type: 'REGULAR', amount: 1 })).toBe(false)
})

test('a timed digest has the days of its unit', () => {
  expect(timedEvery('DAYS', '08:30')).toEqual({ atTime: '08:30' })
  expect(timedEvery('WEEKS', '08:30')).toEqual({ atTime: '08:30', weekDays: ['MONDAY'] })
  expect(timedEvery('MONTHS', '08:30')).toEqual({ atTime: '08:30', monthlyType: 'EACH', monthDays: ['1'] })
  expect(timedMonthly('ON', '08:30')).toEqual({
    atTime: '08:30',
    monthlyType: 'ON',
    ordinal: 'FIRST',
    ordinalValue: 'MONDAY',
  })
})

test('a delay of another type keeps whether it waits for the schedule', () => {
  const delay = { type: 'REGULAR', amount: 3, unit: 'DAYS', extendToSchedule: true } as const
  expect(delayOfType('SCHEDULED', delay)).toEqual({ type: 'SCHEDULED', delayPath: '', extendToSchedule: true })
  expect(delayOfType('REGULAR', delay)).toEqual({ type: 'REGULAR', amount: 1, unit: 'HOURS', extendToSchedule: true })
})
