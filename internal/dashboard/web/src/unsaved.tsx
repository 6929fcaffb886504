import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { type AroundNavHandler, Router, useLocation } from 'wouter'
import { anyUnsaved, discard, loses, useMark } from './marks'
import { Question } from './overlay'
import { t } from './text/text'

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
  useMark(now !== stored, page)
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
