import { expect, test } from 'vitest'
import { exact, lasted, onClock, relative } from './time'

const now = Date.parse('2026-03-10T12:00:00Z')

test.each([
  [-5, 'now'],
  [-61, '1 minute ago'],
  [-7300, '2 hours ago'],
  [-90_000, 'yesterday'],
  [3700, 'in 1 hour'],
  [2 * 86_400 + 5, 'in 2 days'],
])('%i seconds from now is %s', (seconds, text) => expect(relative(now + seconds * 1000, now, 'en')).toBe(text))

test('days are those of the calendar', () => {
  const at = (text: string) => new Date(text).getTime() // on the clock of the browser
  const wednesday = at('2026-03-11T10:00')
  expect(relative(at('2026-03-10T09:00'), wednesday, 'de')).toBe('gestern')
  expect(relative(at('2026-03-09T11:00'), wednesday, 'de')).toBe('vorgestern')
  expect(relative(at('2026-03-08T11:00'), wednesday, 'en')).toBe('3 days ago')
  expect(relative(at('2026-03-13T09:00'), wednesday, 'de')).toBe('übermorgen')
  expect(relative(at('2026-03-10T23:00'), at('2026-03-11T00:30'), 'en')).toBe('1 hour ago')
})

test('after a week it is the date', () => {
  expect(relative(now - 8 * 86_400_000, now, 'en')).toContain('Mar 2, 2026')
  expect(relative(now - 61_000, now, 'de')).toBe('vor 1 Minute')
})

test('an exact time names its zone', () =>
  expect(exact(now, 'en')).toMatch(/Mar 10, 2026.*\d\d:00:00.*(UTC|GMT|[A-Z]+)/))

test.each([
  ['Europe/Berlin', 'Tue, 03/10/2026, 01:00 PM GMT+1'],
  ['Europe/Ber', 'Tue, 03/10/2026, 12:00 PM UTC'],
  ['', 'Tue, 03/10/2026, 12:00 PM UTC'],
])('in the zone %j it is %s', (zone, text) => expect(onClock(now, zone, 'en')).toBe(text))

test.each([
  [0, '0 ms'],
  [-3, '0 ms'],
  [42.4, '42 ms'],
  [1500, '1.5 s'],
  [80_000, '1 min 20 s'],
  [3_600_000, '1 h'],
  [2 * 86_400_000 + 3 * 3_600_000, '2 d 3 h'],
])('%i ms lasted %s', (ms, text) => expect(lasted(ms)).toBe(text))
