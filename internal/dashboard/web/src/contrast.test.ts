import { expect, test } from 'vitest'
import { contrast, readColours } from './contrast'

const sheets = import.meta.glob<string>('./styles/*.css', { query: '?raw', import: 'default', eager: true })
const sheet = sheets['./styles/tokens.css']!
const colours = readColours(sheet)

const grounds = ['page', 'card', 'raised', 'calm', 'hover']

/** What is written on what. */
const texts: [text: string, on: string[]][] = [
  ['ink', [...grounds, 'brand-soft']],
  ['soft', grounds],
  ['brand', [...grounds, 'brand-soft']],
  ['on-brand', ['brand', 'brand-hover']],
  ['page', ['ink']],
  ['good', [...grounds, 'good-soft']],
  ['bad', [...grounds, 'bad-soft']],
  ['wait', [...grounds, 'wait-soft']],
]

/** What outlines a control or the focus. */
const outlines: [line: string, on: string[]][] = [
  ['field', ['page', 'card', 'raised']],
  ['brand', grounds],
]

const of = (name: string) => {
  const colour = colours.get(name)
  if (!colour) throw new Error(`no colour ${name}`)
  return colour
}

for (const theme of ['light', 'dark'] as const) {
  test.each(texts.flatMap(([text, on]) => on.map((ground) => [text, ground])))(
    `${theme}: %s on %s reads well`,
    (a, b) => {
      expect(contrast(of(a!)[theme], of(b!)[theme])).toBeGreaterThanOrEqual(4.5)
    },
  )
  test.each(outlines.flatMap(([line, on]) => on.map((ground) => [line, ground])))(
    `${theme}: %s shows on %s`,
    (a, b) => {
      expect(contrast(of(a!)[theme], of(b!)[theme])).toBeGreaterThanOrEqual(3)
    },
  )
}

test('contrast is that of WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21)
  expect(contrast([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2)
})

test.each(Object.entries(sheets))('%s uses tokens that exist, and no colours of its own', (_, text) => {
  const defined = new Set([...sheet.matchAll(/(--[\w-]+):/g)].map((m) => m[1]))
  const used = [...text.matchAll(/var\((--[\w-]+)/g)].map((m) => m[1]!).filter((v) => !v.startsWith('--radix-'))
  expect(used.filter((v) => !defined.has(v))).toEqual([])
  if (text !== sheet) expect(text.replaceAll('background: #fff; /* mails */', '')).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(/)
})
