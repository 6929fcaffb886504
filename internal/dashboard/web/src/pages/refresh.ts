import { useEffect } from 'react'

/** How often a list is read anew, in milliseconds: while something in it is under way, and else, since what was begun is still being sent. */
const often = 2000
const seldom = 30_000

/** Reads a list anew while it is seen, more often while it is busy. */
export function useRefresh(busy: boolean, reload: () => void) {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), busy ? often : seldom)
    return () => clearInterval(timer)
  }, [busy, reload])
}
