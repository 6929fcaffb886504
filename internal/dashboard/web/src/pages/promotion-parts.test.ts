import { expect, test } from 'vitest'
import { endsOf, type Piece, parseParts, resourceText, sideOf } from './promotion-parts'

test('parts are typed as on the command line', () => {
  expect(parseParts(' ')).toBeUndefined()
  expect(parseParts('workflow/order-shipped, notification-group/a/b ,Layout/Brand')).toEqual([
    { kind: 'WORKFLOW', name: 'order-shipped' },
    { kind: 'NOTIFICATION_GROUP', name: 'a/b' },
    { kind: 'LAYOUT', name: 'Brand' },
  ])
  for (const wrong of ['order-shipped', 'workflow/', '/x'])
    expect(() => parseParts(`layout/brand, ${wrong}`)).toThrow(`${wrong} is no resource`)
})

const piece = (change: Piece['change'], text: string): Piece => ({ change, text })
const read = (pieces: Piece[]) => pieces.map((p) => p.text).join('')

test('each side of a text has its own words', () => {
  const pieces = [piece('SAME', 'Hello '), piece('REMOVED', 'Ada'), piece('ADDED', 'Bob'), piece('SAME', '!')]
  expect(read(sideOf(pieces, 'ADDED'))).toBe('Hello Ada!')
  expect(read(sideOf(pieces, 'REMOVED'))).toBe('Hello Bob!')
})

test('long unchanged pieces are abridged, changed ones never', () => {
  const text = Array.from({ length: 500 }, (_, i) => String(i % 10)).join('')
  const change = piece('ADDED', text)
  const [start, added, middle, , end] = sideOf(
    [piece('SAME', text), change, piece('SAME', text), change, piece('SAME', text)],
    'REMOVED',
  )
  expect(start?.text).toBe(` … ${text.slice(-80)}`)
  expect(added).toBe(change)
  expect(middle?.text).toBe(`${text.slice(0, 80)} … ${text.slice(-80)}`)
  expect(end?.text).toBe(`${text.slice(0, 80)} … `)
})

type Changed = Parameters<typeof resourceText>[0]

test.each<[Pick<Changed, 'action'> & Partial<Omit<Changed, 'action'>>, string]>([
  [{ action: 'CREATE', kind: 'NOTIFICATION_GROUP', name: 'mail' }, 'notification group mail created'],
  [{ action: 'UPDATE', sourceVersion: 4, version: 2 }, 'workflow order changed, version 4 as version 2'],
  [{ action: 'UPDATE', version: 3 }, 'workflow order changed, now version 3'],
  [{ action: 'DELETE' }, 'workflow order deleted'],
])('%j is told', (of, text) =>
  expect(resourceText({ kind: 'WORKFLOW', name: 'order', sourceVersion: null, version: null, ...of })).toBe(text),
)

test('a promotion is offered from where one works into production', () => {
  const live = { id: 'live', type: 'PRODUCTION' as const }
  const dev = { id: 'dev', type: 'DEVELOPMENT' as const }
  const test = { id: 'test', type: 'DEVELOPMENT' as const }
  for (const [all, here, from, to, want] of [
    [[live, dev], 'dev', '', '', ['dev', 'live']],
    [[live, dev], 'live', '', '', ['dev', 'live']],
    [[dev, live, test], 'test', '', '', ['test', 'live']],
    [[dev, test], 'dev', '', '', ['test', 'dev']],
    [[live, dev], 'dev', 'live', '', ['live', 'dev']],
    [[live, dev, test], 'dev', '', 'test', ['dev', 'test']],
    [[live, dev], 'dev', 'live', 'dev', ['live', 'dev']],
    [[dev], 'dev', '', '', [undefined, 'dev']],
  ] as const) {
    const { source, target } = endsOf(all, here, from, to)
    expect([source?.id, target?.id]).toEqual(want)
  }
})
