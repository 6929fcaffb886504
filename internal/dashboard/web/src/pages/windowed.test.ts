import { expect, test } from 'vitest'
import { holds, lacking, rowAt, unread, type Windowed, windowPage, withChanges, withPage } from './windowed'

type Row = { id: string; n?: number }
const rows = (page: number, length = windowPage): Row[] =>
  Array.from({ length }, (_, i) => ({ id: String(page * windowPage + i) }))

/** A list of which the first pages were read one after the other. */
function read(pages: number): Windowed<Row> {
  let list = unread<Row>()
  for (let at = 0; at < pages; at++) list = withPage(list, at, rows(at), { hasNextPage: true, endCursor: `c${at}` })
  return list
}

test('pages follow each other by their cursors', () => {
  expect(lacking(unread(), 0, 20)).toEqual([0])
  const list = read(2)
  expect(list).toMatchObject({ cursors: [null, 'c0', 'c1'], count: 100, complete: false })
  expect(rowAt(list, 99)?.id).toBe('99')
  expect(rowAt(list, 100)).toBeUndefined()
  expect(lacking(list, 90, 100)).toEqual([2])
  expect(lacking(list, 90, 5000)).toEqual([2]) // those behind it have no cursor yet
})

test('the last page ends the list', () => {
  const list = withPage(read(1), 1, rows(1, 3), { hasNextPage: false, endCursor: 'c1' })
  expect(list).toMatchObject({ count: 53, complete: true })
  expect(lacking(list, 0, 500)).toEqual([])
  const none = withPage(unread<Row>(), 0, [], { hasNextPage: false, endCursor: null })
  expect(none).toMatchObject({ count: 0, complete: true })
  expect(lacking(none, 0, 10)).toEqual([])
})

test('of a million rows only those around the place shown are held', () => {
  const list = read(200)
  expect(list.pages.size).toBe(20)
  expect(list.count).toBe(10_000)
  expect(rowAt(list, 0)).toBeUndefined()
  expect(lacking(list, 0, 30)).toEqual([0])
  const back = withPage(list, 0, rows(0), { hasNextPage: true, endCursor: 'c0' })
  expect(rowAt(back, 0)?.id).toBe('0')
  expect(back.pages.size).toBe(20)
  expect(back.cursors).toBe(list.cursors)
  expect(back.count).toBe(10_000)
})

test('changed rows take the place of what they were', () => {
  const list = read(2)
  const next = withChanges(list, new Map([['51', { id: '51', n: 2 }]]))
  expect(rowAt(next, 51)).toEqual({ id: '51', n: 2 })
  expect(next.pages.get(0)).toBe(list.pages.get(0))
  expect(withChanges(list, new Map([['none', { id: 'none' }]]))).toBe(list)
  expect([holds(list, '51'), holds(list, '151')]).toEqual([true, false])
})
