import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 820px)')

/** Reports whether the page is as narrow as a phone's. */
export const useNarrow = () =>
  useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => query.matches,
  )
