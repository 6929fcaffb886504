import { useLayoutEffect } from 'react'

/** The marks of unsaved changes, each with the address of the page that keeps them: on its tabs as well, or there alone. */
const unsaved = new Map<symbol, { page: string; alone: boolean }>()

/** Reports whether the page has unsaved changes. */
export const anyUnsaved = () => unsaved.size > 0

/** Reports whether going to a path would lose unsaved changes. */
export const loses = (path: string) =>
  [...unsaved.values()].some(({ page, alone }) => path !== page && (alone || !path.startsWith(`${page}/`)))

/** Drops the marks of unsaved changes. */
export const discard = () => unsaved.clear()

/** Marks unsaved changes of a page while it has them. Its tabs keep them, unless they are of that address alone. */
export function useMark(dirty: boolean, page = location.pathname, alone = false): void {
  // In the same frame as the page, so that a page that says "Saved" can be left at once.
  useLayoutEffect(() => {
    if (!dirty) return
    const mark = Symbol()
    unsaved.set(mark, { page, alone })
    return () => {
      unsaved.delete(mark)
    }
  }, [dirty, page, alone])
}
