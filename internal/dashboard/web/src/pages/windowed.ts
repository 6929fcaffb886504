/** How many rows a page of a long list has. */
export const windowPage = 50

const maxPages = 20

/**
 * A part of a list too long to be held: the cursors of all pages that were reached, and the rows of some of them around the
 * place that is shown. cursors[i] is what page i begins after.
 */
export type Windowed<R> = {
  cursors: readonly (string | null)[]
  pages: ReadonlyMap<number, readonly R[]>
  count: number
  complete: boolean
}

/** A list of which nothing was read. */
export const unread = <R>(): Windowed<R> => ({ cursors: [null], pages: new Map(), count: 0, complete: false })

/** The list with a page that was read. Of the pages that are held, those farthest from it are dropped. */
export function withPage<R>(
  list: Windowed<R>,
  at: number,
  rows: readonly R[],
  info: { hasNextPage: boolean; endCursor: string | null },
): Windowed<R> {
  const pages = new Map(list.pages).set(at, rows)
  for (const far of [...pages.keys()].sort((a, b) => Math.abs(b - at) - Math.abs(a - at)).slice(0, -maxPages))
    pages.delete(far)
  if (at < list.cursors.length - 1) return { ...list, pages }
  const more = info.hasNextPage && info.endCursor !== null
  return {
    pages,
    cursors: more ? [...list.cursors, info.endCursor] : list.cursors,
    count: at * windowPage + rows.length,
    complete: !more,
  }
}

/** The row at a position; undefined while its page is not held. */
export const rowAt = <R>(list: Windowed<R>, at: number): R | undefined =>
  list.pages.get(Math.floor(at / windowPage))?.[at % windowPage]

/** The pages that have to be read to show some rows; of those that were not reached yet only the next can be. */
export function lacking<R>(list: Windowed<R>, first: number, last: number): number[] {
  const from = Math.floor(Math.max(first, 0) / windowPage)
  const to = Math.min(Math.floor(Math.max(last, 0) / windowPage), list.cursors.length - 1)
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_, i) => from + i).filter(
    (page) => !list.pages.has(page) && !(list.complete && page * windowPage >= Math.max(list.count, 1)),
  )
}

/** The list with each of its rows that changed in place of what it was. */
export function withChanges<R extends { id: string }>(list: Windowed<R>, changed: ReadonlyMap<string, R>): Windowed<R> {
  let any = false
  const pages = new Map(list.pages)
  for (const [at, rows] of pages) {
    if (!rows.some((row) => changed.has(row.id))) continue
    any = true
    pages.set(
      at,
      rows.map((row) => changed.get(row.id) ?? row),
    )
  }
  return any ? { ...list, pages } : list
}

/** Reports whether a row is among those held. */
export const holds = <R extends { id: string }>(list: Windowed<R>, id: string): boolean =>
  [...list.pages.values()].some((rows) => rows.some((row) => row.id === id))
