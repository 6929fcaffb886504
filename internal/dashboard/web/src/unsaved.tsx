import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type AroundNavHandler, Router, useLocation } from 'wouter'
import { Question } from './overlay'
import { t } from './text/text'

const unsaved = new Set<symbol>()

/** Reports whether the page has unsaved changes. */
export const anyUnsaved = () => unsaved.size > 0

/** Drops the marks of unsaved changes. */
export const discard = () => unsaved.clear()

addEventListener('beforeunload', (e) => anyUnsaved() && e.preventDefault())

let here = location.href
let ask: ((to: string) => void) | undefined

// popstate fires after back or forward has changed the address: restore it, and ask. This listener is registered before the
// router's, so it runs first.
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

/** Asks before the page is left while value differs from the stored one. The result sets the stored value, by default to the current one. */
export function useUnsaved(value: unknown): (stored?: unknown) => void {
  const now = JSON.stringify(value)
  const [stored, setStored] = useState(now)
  const latest = useRef(now)
  latest.current = now
  const dirty = now !== stored
  // In the same frame as the page, so that a page that says "Saved" can be left at once.
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

/** The router. It asks before a navigation that would lose unsaved changes. */
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
        <Question
          title={t('unsaved.leaveWithoutSaving')}
          question={t('unsaved.yourChangesAreNotSaved')}
          no={t('unsaved.stay')}
          yes={t('unsaved.leave')}
          onNo={() => setGoing(undefined)}
          onYes={() => {
            discard()
            going()
          }}
        />
      )}
    </Router>
  )
}
