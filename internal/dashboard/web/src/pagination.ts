/** The cursor that a page of a list begins after, or ends before; neither is the first page. */
export type Position = { after?: string; before?: string }

/** A page of a list: the variables to query it with, and the way to the others. */
export type Pages = {
  variables: { first?: number; last?: number } & Position
  first: boolean
  go: (to: Position) => void
}

export const pageSize = 25

/** The page at a position. */
export const pageAt = ({ after, before }: Position, go: (to: Position) => void): Pages => ({
  variables: before ? { last: pageSize, before } : { first: pageSize, after },
  first: !after && !before,
  go,
})

/** The position that an address names. */
export const positionOf = (params: URLSearchParams, prefix = ''): Position => ({
  after: params.get(`${prefix}after`) ?? undefined,
  before: params.get(`${prefix}before`) ?? undefined,
})

/** An address at another position of its list; lists on one page differ by prefix. */
export function withPosition(params: URLSearchParams, to: Position, prefix = ''): URLSearchParams {
  for (const end of ['after', 'before'] as const) {
    const cursor = to[end]
    if (cursor) params.set(prefix + end, cursor)
    else params.delete(prefix + end)
  }
  return params
}

/** An address with another filter of a list, at its first page. */
export function withFilter(params: URLSearchParams, name: string, value: string, prefix = ''): URLSearchParams {
  if (value) params.set(prefix + name, value)
  else params.delete(prefix + name)
  return withPosition(params, {}, prefix)
}

export type PageInfo = {
  hasPreviousPage: boolean
  hasNextPage: boolean
  startCursor: string | null
  endCursor: string | null
}

/** The pages before and after one. An empty page that is not the first leads back to the first. */
export function neighbours(pager: Pages, info: PageInfo): { previous?: Position; next?: Position } {
  const hasPrevious = !pager.first && (info.hasPreviousPage || info.startCursor === null)
  return {
    previous: hasPrevious ? (info.startCursor ? { before: info.startCursor } : {}) : undefined,
    next: info.hasNextPage && info.endCursor ? { after: info.endCursor } : undefined,
  }
}

/** The rows of one page of a list that is there as a whole; a page behind the last is the last. */
export function slicePage<T>(rows: readonly T[], page: number, size = pageSize) {
  const at = Math.min(page, Math.max(0, Math.ceil(rows.length / size) - 1))
  const from = at * size
  const to = Math.min(from + size, rows.length)
  return { at, from, to, rows: rows.slice(from, to), isLast: to === rows.length }
}
