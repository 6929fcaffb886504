import { useState } from 'react'
import { useSearchParams } from 'wouter'

/** What a list shows. It stands in the address: reload, back and a link to it show the same. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  return {
    get: (name: string) => params.get(name) ?? '',
    set: (name: string) => (value: string) =>
      setParams(
        (p) => {
          value ? p.set(name, value) : p.delete(name)
          p.delete('after')
          p.delete('before')
          return p
        },
        { replace: true },
      ),
  }
}

type Place = { after?: string; before?: string }

/** A page of a list: which one to ask for, and how to come to the others. */
export type Pages = { variables: { first?: number; last?: number } & Place; first: boolean; go: (to: Place) => void }

const size = 25

const pages = ({ after, before }: Place, go: (to: Place) => void): Pages => ({
  variables: before ? { last: size, before } : { first: size, after },
  first: !after && !before,
  go,
})

/** Leads through the pages of a list by cursor, in the address. A page with several lists tells them apart by prefix. */
export function usePager(prefix = ''): Pages {
  const [params, setParams] = useSearchParams()
  const place: Place = {
    after: params.get(`${prefix}after`) ?? undefined,
    before: params.get(`${prefix}before`) ?? undefined,
  }
  return pages(place, (to) =>
    setParams((p) => {
      for (const end of ['after', 'before'] as const) to[end] ? p.set(prefix + end, to[end]) : p.delete(prefix + end)
      return p
    }),
  )
}

/** The same for a list that comes and goes within its page. */
export function useInnerPager(): Pages {
  const [place, go] = useState<Place>({})
  return pages(place, go)
}
