import { type ReactNode, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { type AroundNavHandler, Router, useLocation } from 'wouter'
import { Question } from './overlay'
import { t } from './text/text'

/** The marks of unsaved changes, each with the address of the page that keeps them, on all of its tabs. */
const unsaved = new Map<symbol, string>()

/** Reports whether the page has unsaved changes. */
export const anyUnsaved = () => unsaved.size > 0

/** Reports whether going to a path would lose unsaved changes. */
const loses = (path: string) => [...unsaved.values()].some((page) => path !== page && !path.startsWith(`${page}/`))

/** Drops the marks of unsaved changes. */
export const discard = () => unsaved.clear()

addEventListener('beforeunload', (e) => anyUnsaved() && e.preventDefault())

let here = location.href
let ask: ((go: () => void) => void) | undefined
let move: (to: string) => void

/** Does what loses unsaved changes, such as changing the environment, once the person agrees. */
export const leave = (go: () => void) => (ask && anyUnsaved() ? ask(go) : go())

// popstate fires after back or forward has changed the address: restore it, and ask. This listener is registered before the
// router's, so it runs first.
addEventListener('popstate', (e) => {
  const there = new URL(location.href)
  if (!ask || !loses(there.pathname)) {
    here = location.href
    return
  }
  e.stopImmediatePropagation()
  history.pushState(null, '', here)
  ask(() => move(there.pathname + there.search))
})
for (const moved of ['pushState', 'replaceState'])
  addEventListener(moved, () => {
    here = location.href
  })

/**
 * Asks before the page is left while value differs from the stored one. page is its address when it has tabs. The result sets the stored
 * value.
 */
export function useUnsaved(value: unknown, page = location.pathname): (stored: unknown) => void {
  const now = JSON.stringify(value)
  const [stored, setStored] = useState(now)
  const dirty = now !== stored
  // In the same frame as the page, so that a page that says "Saved" can be left at once.
  useLayoutEffect(() => {
    if (!dirty) return
    const mark = Symbol()
    unsaved.set(mark, page)
    return () => {
      unsaved.delete(mark)
    }
  }, [dirty, page])
  return useCallback((value) => setStored(JSON.stringify(value)), [])
}

/** The router. It asks before a navigation that would lose unsaved changes. */
export function Addresses({ base, children }: { base: string; children: ReactNode }) {
  const [going, setGoing] = useState<() => void>()
  const around: AroundNavHandler = useCallback((navigate, to, options) => {
    const go = () => navigate(to, options)
    if (!loses(new URL(to, location.href).pathname)) go()
    else setGoing(() => go)
  }, [])
  const [, navigate] = useLocation()
  useEffect(() => {
    ask = (go) => setGoing(() => go)
    move = navigate
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
