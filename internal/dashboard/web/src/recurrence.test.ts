import { expect, test } from 'vitest'
import { daysOf, recurrenceOf, ruleOf } from './recurrence'

test('a form reads the rules that it writes', () => {
  for (const rule of [
    null,
    'FREQ=DAILY',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH',
    'FREQ=MONTHLY;UNTIL=20261231',
    'FREQ=MONTHLY;BYDAY=1MO',
    'FREQ=YEARLY',
    'FREQ=DAILY;COUNT=3',
    'FREQ=WEEKLY;BYDAY=TH,MO',
  ])
    expect(ruleOf(recurrenceOf(rule))).toBe(rule)
  expect(recurrenceOf('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO').kind).toBe('weekly')
  expect(recurrenceOf('FREQ=DAILY;COUNT=3').kind).toBe('rule')
  expect(recurrenceOf('FREQ=MONTHLY;UNTIL=20261231').until).toBe('2026-12-31')
})

test('days are separated by anything', () => {
  expect(daysOf(' 2026-12-24, 2026-12-25\n2026-12-31 ')).toEqual(['2026-12-24', '2026-12-25', '2026-12-31'])
  expect(daysOf(' ')).toEqual([])
})
