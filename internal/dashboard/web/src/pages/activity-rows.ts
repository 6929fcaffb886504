import { holds, rowAt, type Windowed } from './windowed'

type Row = { id: string; createdAt: string }

/** How many rows that arrived since a list was read are kept before it is read anew. */
export const maxFresh = 200

/**
 * The rows that arrived since a list was read, newest first, with updates added: of those that are neither in the list nor
 * older than its first row.
 */
export function addFresh<R extends Row>(
  fresh: readonly R[],
  updates: readonly R[],
  list: Windowed<R>,
  belongs: (row: R) => boolean,
): readonly R[] {
  const all = new Map(fresh.map((row) => [row.id, row]))
  const newest = rowAt(list, 0)?.createdAt ?? ''
  for (const row of updates)
    if (all.has(row.id) || (belongs(row) && row.createdAt >= newest && !holds(list, row.id))) all.set(row.id, row)
  return [...all.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
}
