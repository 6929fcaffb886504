import { expect, test } from 'vitest'
import { foreign, segments } from './segments'

test.each([
  ['', false, 0, 1],
  ['a'.repeat(160), false, 160, 1],
  ['a'.repeat(161), false, 161, 2],
  ['a'.repeat(306), false, 306, 2],
  ['a'.repeat(307), false, 307, 3],
  ['€'.repeat(80), false, 160, 1],
  ['€'.repeat(81), false, 162, 2],
  ['Ünïcode', true, 7, 1],
  ['ж'.repeat(70), true, 70, 1],
  ['ж'.repeat(71), true, 71, 2],
  ['ж'.repeat(135), true, 135, 3],
  ['🎉'.repeat(35), true, 70, 1],
  ['🎉'.repeat(36), true, 72, 2],
])('%j', (text, unicode, length, messages) => {
  expect(segments(text)).toMatchObject({ unicode, length, messages })
})

test('the characters that make a text longer', () => {
  expect(foreign('Hi – ïï €')).toEqual(['–', 'ï'])
})
