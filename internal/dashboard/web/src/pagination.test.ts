import { expect, test, vi } from 'vitest'
import { neighbours, pageAt, positionOf, slicePage, withFilter, withPosition } from './pagination'

const go = vi.fn()
const params = (text: string) => new URLSearchParams(text)
const info = (over: object) => ({
  hasPreviousPage: false,
  hasNextPage: false,
  startCursor: 'a',
  endCursor: 'z',
  ...over,
})

test('a page reads forwards, and backwards before a cursor', () => {
  expect(pageAt({}, go)).toMatchObject({ variables: { first: 25, after: undefined }, first: true })
  expect(pageAt({ after: 'x' }, go)).toMatchObject({ variables: { first: 25, after: 'x' }, first: false })
  expect(pageAt({ before: 'x' }, go)).toEqual({ variables: { last: 25, before: 'x' }, first: false, go })
})

test('the address keeps the position of each list', () => {
  expect(positionOf(params('after=1&keys-before=2'))).toEqual({ after: '1', before: undefined })
  expect(positionOf(params('after=1&keys-before=2'), 'keys-')).toEqual({ after: undefined, before: '2' })
  expect(withPosition(params('after=1&status=SENT'), { before: '2' }).toString()).toBe('status=SENT&before=2')
  expect(withPosition(params('after=1'), { after: '2' }, 'keys-').toString()).toBe('after=1&keys-after=2')
  expect(withPosition(params('after=1'), {}).toString()).toBe('')
})

test('another filter begins at the first page', () => {
  expect(withFilter(params('after=1&name=old'), 'name', 'new').toString()).toBe('name=new')
  expect(withFilter(params('before=1&name=old&status=SENT'), 'name', '').toString()).toBe('status=SENT')
})

test('a filter of one list leaves the other lists of the page where they are', () => {
  const address = withFilter(params('after=1&missing.after=2'), 'used', 'true', 'missing.')
  expect(address.toString()).toBe('after=1&missing.used=true')
})

test('neighbours lead to the pages around one', () => {
  const first = pageAt({}, go)
  const later = pageAt({ after: 'x' }, go)
  expect(neighbours(first, info({}))).toEqual({ previous: undefined, next: undefined })
  expect(neighbours(first, info({ hasPreviousPage: true, hasNextPage: true }))).toEqual({
    previous: undefined,
    next: { after: 'z' },
  })
  expect(neighbours(later, info({ hasPreviousPage: true }))).toEqual({ previous: { before: 'a' }, next: undefined })
  expect(neighbours(later, info({}))).toEqual({ previous: undefined, next: undefined })
  expect(neighbours(later, info({ hasNextPage: true, endCursor: null })).next).toBeUndefined()
})

test('an empty page that is not the first leads back to the first', () => {
  expect(neighbours(pageAt({ after: 'x' }, go), info({ startCursor: null, endCursor: null })).previous).toEqual({})
})

test('a slice stays within its list', () => {
  const rows = Array.from({ length: 60 }, (_, i) => i)
  expect(slicePage(rows, 0)).toMatchObject({ at: 0, from: 0, to: 25, isLast: false })
  expect(slicePage(rows, 2)).toEqual({ at: 2, from: 50, to: 60, rows: rows.slice(50), isLast: true })
  expect(slicePage(rows, 9).at).toBe(2)
  expect(slicePage(rows.slice(0, 50), 9)).toMatchObject({ at: 1, isLast: true })
  expect(slicePage([], 3)).toEqual({ at: 0, from: 0, to: 0, rows: [], isLast: true })
})
