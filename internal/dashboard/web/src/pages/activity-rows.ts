type Row = { id: string; createdAt: string; status: string }

const maxUpdates = 200
const maxRows = 50

/** The updates of notifications by id, with newer ones added; the oldest are dropped. */
export function addUpdates<R extends Row>(old: ReadonlyMap<string, R>, updates: readonly R[]): ReadonlyMap<string, R> {
  const all = new Map(old)
  for (const n of updates) {
    all.delete(n.id)
    all.set(n.id, n)
  }
  return new Map([...all].slice(-maxUpdates))
}

/**
 * The rows of a page with the updates that arrived since it was read. With addNew, notifications newer than the page come
 * first. A status, if given, is that of all rows.
 */
export function mergeUpdates<R extends Row>(
  rows: readonly R[],
  updates: ReadonlyMap<string, R>,
  { addNew, status }: { addNew: boolean; status: string },
): R[] {
  const ids = new Set(rows.map((r) => r.id))
  const newest = rows[0]?.createdAt ?? ''
  const added = addNew ? [...updates.values()].filter((n) => !ids.has(n.id) && n.createdAt >= newest) : []
  return [...added.sort((a, b) => b.createdAt.localeCompare(a.createdAt)), ...rows.map((r) => updates.get(r.id) ?? r)]
    .filter((n) => !status || n.status === status)
    .slice(0, maxRows)
}
