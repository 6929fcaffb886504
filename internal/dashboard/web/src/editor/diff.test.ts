import { expect, test } from 'vitest'
import { type DiffLine, diff } from './diff'

const marks = { same: ' ', add: '+', del: '-' }
const short = (lines: DiffLine[]) => lines.map((l) => marks[l.kind] + l.text).join('\n')

test.each([
  ['a\nb\nc', 'a\nb\nc', ' a\n b\n c'],
  ['a\nb\nc', 'a\nx\nc', ' a\n-b\n+x\n c'],
  ['a\nc', 'a\nb\nc', ' a\n+b\n c'],
  ['a\nb\nc', 'a\nc', ' a\n-b\n c'],
  ['a\nb\nc\nd', 'b\nx\nd\ny', '-a\n b\n-c\n+x\n d\n+y'],
  ['a\na', 'a', ' a\n-a'],
  ['', 'a', '-\n+a'],
])('%j and %j differ in their lines', (before, after, lines) => expect(short(diff(before, after))).toBe(lines))

test('both texts can be read from their difference', () => {
  let seed = 7
  const next = (n: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % n
  }
  const text = () => Array.from({ length: next(12) + 1 }, () => 'abcd'[next(4)]).join('\n')
  const side = (lines: DiffLine[], without: DiffLine['kind']) =>
    lines
      .filter((l) => l.kind !== without)
      .map((l) => l.text)
      .join('\n')
  for (let i = 0; i < 300; i++) {
    const before = text()
    const after = text()
    const lines = diff(before, after)
    expect(side(lines, 'add')).toBe(before)
    expect(side(lines, 'del')).toBe(after)
  }
})
