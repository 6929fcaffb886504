import { expect, test } from 'vitest'
import { count, words } from './words'

test.each([
  ['SMS', 'SMS'],
  ['IN_APP', 'In-app'],
  ['EMAIL', 'E-mail'],
  ['HALF_OPEN', 'Half open'],
  ['NO_EMAIL_ADDRESS', 'No email address'],
  ['monday', 'Monday'],
  ['', ''],
])('%s is written %s', (name, text) => expect(words(name)).toBe(text))

test('a number agrees with its noun', () => {
  expect([0, 1, 2].map((n) => count(n, 'problem'))).toEqual(['0 problems', '1 problem', '2 problems'])
})
