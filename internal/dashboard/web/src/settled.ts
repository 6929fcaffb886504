import { useEffect, useState } from 'react'

/** How long a name is left alone before it is asked for, in milliseconds. */
const settled = 300

/** A value, once it has not changed for a moment. */
export function useSettled<T>(value: T): T {
  const [taken, setTaken] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setTaken(value), settled)
    return () => clearTimeout(timer)
  }, [value])
  return taken
}
