import { expect, test } from 'vitest'
import { addFresh } from './activity-rows'
import { unread, withPage } from './windowed'

const row = (id: string, status = 'PENDING') => ({ id, status, createdAt: `2026-01-01T00:00:0${id}Z` })
const list = withPage(unread<ReturnType<typeof row>>(), 0, [row('3'), row('2')], { hasNextPage: true, endCursor: 'c' })
const ids = (rows: readonly { id: string }[]) => rows.map((r) => r.id).join('')

test('runs that arrive come first, newest first', () => {
  const rows = addFresh([], [row('4'), row('5'), row('1'), row('2')], list, () => true)
  expect(ids(rows)).toBe('54') // 1 is older than the list, 2 is in it
  expect(ids(addFresh(rows, [row('6')], list, () => true))).toBe('654')
  expect(ids(addFresh([], [row('1')], unread(), () => true))).toBe('1')
})

test('one that arrived changes in place, also to what the list does not ask for', () => {
  const pending = (r: { status: string }) => r.status === 'PENDING'
  const rows = addFresh([], [row('4'), row('5', 'COMPLETED')], list, pending)
  expect(ids(rows)).toBe('4')
  expect(addFresh(rows, [row('4', 'COMPLETED')], list, pending)).toEqual([row('4', 'COMPLETED')])
})
