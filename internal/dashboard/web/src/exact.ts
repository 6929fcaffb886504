// JSON.rawJSON exists from Chromium 114, Firefox 135 and Safari 18.4 on; older browsers round long numbers.
const json: typeof JSON & {
  rawJSON?: (text: string) => object
  isRawJSON?: (value: unknown) => boolean
} = JSON

/**
 * Reads JSON without rounding: a number with more digits than a JavaScript number has stays as it is written. It is an object then that
 * JSON.stringify writes as that number.
 */
export function readJSON(text: string): unknown {
  return json.rawJSON && /\d{16}|[\d.]{17}/.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
}

/** The reviver of JSON.parse by which readJSON reads. */
export function exactly(this: unknown, _name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || source === String(value)) return value
  const digits = source.replace(/e.*$/i, '').replace(/\D/g, '').length
  return digits > 15 ? (json.rawJSON?.(source) ?? value) : value
}

/** Reports whether a value is a number that readJSON keeps as it is written. */
export const isExact = (value: unknown): boolean => json.isRawJSON?.(value) ?? false

/** A copy of what can be written as JSON. */
export const copyOf = <T>(value: T): T => readJSON(JSON.stringify(value)) as T
