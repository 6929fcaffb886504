import { useEffect } from 'react'

/** How often a list is read anew while something in it is under way, in milliseconds. */
const refreshEvery = 2000

/** Reads a list anew while it is busy. */
export function useRefresh(busy: boolean, reload: () => void) {
  useEffect(() => {
    if (!busy) return
    const timer = setInterval(reload, refreshEvery)
    return () => clearInterval(timer)
  }, [busy, reload])
}
