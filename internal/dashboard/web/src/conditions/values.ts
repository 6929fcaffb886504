import { readJSON } from '../exact'

/** A value that a field is compared with. */
export type Scalar = string | number | boolean | null

const isOther = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?|true|false|null|".*")$/s

/** The value that a person typed: a number, true, false and null are that, a text in quotes is what is in them. */
export function scalarOf(typed: string): Scalar {
  const text = typed.trim()
  if (!isOther.test(text)) return typed
  try {
    return readJSON(text) as Scalar
  } catch {
    return typed
  }
}

/** How a value is typed; a text that would be read as something else is in quotes. */
export const textOf = (value: Scalar): string =>
  typeof value === 'string' && scalarOf(value) === value ? value : JSON.stringify(value)

/** The values of a typed list, which is a JSON array or separated by commas. */
export function listOf(typed: string): Scalar[] {
  const text = typed.trim()
  if (text.startsWith('[')) {
    try {
      return readJSON(text) as Scalar[]
    } catch {
      // Not an array: commas separate.
    }
  }
  return text === '' ? [] : text.split(',').map((item) => scalarOf(item.trim()))
}

/** How a list is typed: separated by commas where that says the same. */
export function textOfList(values: readonly Scalar[]): string {
  const text = values.map(textOf).join(', ')
  return JSON.stringify(listOf(text)) === JSON.stringify(values) ? text : JSON.stringify(values)
}
