import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type AroundNavHandler, Router, useLocation } from 'wouter'
import { Dialog } from './ui'

const unsaved = new Set<symbol>()

/** Whether anything on the page would be lost with it. */
export const anyUnsaved = () => unsaved.size > 0

/** Forgets what is unsaved: it is to be lost. */
export const discard = () => unsaved.clear()

addEventListener('beforeunload', (e) => anyUnsaved() && e.preventDefault())

let here = location.href
let ask: ((to: string) => void) | undefined

// The browser's own back and forward have gone when they are heard of: the page stays where it is, and asks. This hears of
// it before the router does, because it began to listen first.
addEventListener('popstate', (e) => {
  const there = new URL(location.href)
  if (!ask || !anyUnsaved() || there.pathname === new URL(here).pathname) {
    here = location.href
    return
  }
  e.stopImmediatePropagation()
  history.pushState(null, '', here)
  ask(there.pathname + there.search)
})
for (const moved of ['pushState', 'replaceState'])
  addEventListener(moved, () => {
    here = location.href
  })

/** Warns before somebody leaves while value differs from what is stored. The result tells that it, or another value, now is. */
export function useUnsaved(value: unknown): (stored?: unknown) => void {
  const now = JSON.stringify(value)
  const [stored, setStored] = useState(now)
  const latest = useRef(now)
  latest.current = now
  const dirty = now !== stored
  // With the page, not after it: whoever reads that it is saved may leave at once.
  useLayoutEffect(() => {
    if (!dirty) return
    const mark = Symbol()
    unsaved.add(mark)
    return () => {
      unsaved.delete(mark)
    }
  }, [dirty])
  return useCallback((value) => setStored(value === undefined ? latest.current : JSON.stringify(value)), [])
}

/** The page's addresses. Whoever would lose something by going to another is asked first. */
export function Addresses({ base, children }: { base: string; children: ReactNode }) {
  const [going, setGoing] = useState<() => void>()
  const around: AroundNavHandler = useCallback((navigate, to, options) => {
    const go = () => navigate(to, options)
    if (!anyUnsaved() || new URL(to, location.href).pathname === location.pathname) go()
    else setGoing(() => go)
  }, [])
  const [, navigate] = useLocation()
  useEffect(() => {
    ask = (to) => setGoing(() => () => navigate(to))
    return () => {
      ask = undefined
    }
  }, [navigate])
  return (
    <Router base={base} aroundNav={around}>
      {children}
      {going && (
        <Dialog title="Leave without saving?" onClose={() => setGoing(undefined)}>
          <p>What you changed here is not saved yet.</p>
          <div className="row end">
            <button type="button" className="main" onClick={() => setGoing(undefined)}>
              Stay
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                discard()
                setGoing(undefined)
                going()
              }}
            >
              Leave
            </button>
          </div>
        </Dialog>
      )}
    </Router>
  )
}
