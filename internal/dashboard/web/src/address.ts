import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { type Pages, type Position, pageAt, positionOf, withFilter, withPosition } from './pagination'

/** The filters of a list. They are part of the address, so reload, back and links keep them. Lists on one page differ by prefix. */
export function useFilters(prefix = '') {
  const [params, setParams] = useSearchParams()
  return {
    get: (name: string) => params.get(prefix + name) ?? '',
    set: (name: string) => (value: string) => setParams((p) => withFilter(p, name, value, prefix), { replace: true }),
  }
}

/** The page of a list, kept in the address. Lists on one page differ by prefix. */
export function usePager(prefix = ''): Pages {
  const [params, setParams] = useSearchParams()
  return pageAt(positionOf(params, prefix), (to) => setParams((p) => withPosition(p, to, prefix)))
}

/** The page of a list that is not part of the address, such as one inside a card that opens and closes. */
export function useInnerPager(): Pages {
  const [position, go] = useState<Position>({})
  return pageAt(position, go)
}
