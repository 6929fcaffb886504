import { useMemo, useRef } from 'react'

/** The same functions in every render, which call those of the latest one: components that are given them need not be drawn again. */
// biome-ignore lint/suspicious/noExplicitAny: any function.
export function useSteady<F extends Record<string, (...args: any[]) => void>>(functions: F): F {
  const latest = useRef(functions)
  latest.current = functions
  return useMemo(() => {
    const call = (name: string) => [name, (...args: unknown[]) => latest.current[name]?.(...args)]
    return Object.fromEntries(Object.keys(latest.current).map(call)) as F
  }, [])
}
