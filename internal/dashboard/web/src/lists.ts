/** A list with another element in place of one. */
export const replaceAt = <T>(list: readonly T[], at: number, value: T): T[] =>
  list.map((v, i) => (i === at ? value : v))

/** A list without the element at a position. */
export const removeAt = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at)

/** A list with another element at a position. What is there now comes behind it. */
export const insertAt = <T>(list: readonly T[], at: number, value: T): T[] => list.toSpliced(at, 0, value)

/** A list with an element at another position; the same elements when one of the positions is outside. */
export function moveTo<T>(list: readonly T[], from: number, to: number): T[] {
  if (!(from in list) || !(to in list)) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]!)
}

/** A list with two elements exchanged; the same elements when one of the positions is outside. */
export function swap<T>(list: readonly T[], a: number, b: number): T[] {
  const next = [...list]
  const first = list[a]
  const second = list[b]
  if (first !== undefined && second !== undefined) [next[a], next[b]] = [second, first]
  return next
}

/** A list with a value, or without it. */
export const include = <T>(list: readonly T[], value: T, on: boolean): T[] =>
  on ? [...list, value] : list.filter((v) => v !== value)

/** The values of a list of choices that are on, in the order of the choices. */
export const chooseInOrder = <T>(all: readonly T[], chosen: readonly T[], value: T, on: boolean): T[] =>
  all.filter((v) => (v === value ? on : chosen.includes(v)))

/** Reports whether the name or the identifier of something contains a text, in any case. */
export const nameContains = (of: { name: string; identifier: string }, text: string) =>
  [of.name, of.identifier].some((t) => t.toLowerCase().includes(text.toLowerCase()))

/** The names of a text that separates them by commas. */
export const namesOf = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** The last name of a text that separates names by commas, which may be empty. */
export const lastName = (text: string) => text.slice(text.lastIndexOf(',') + 1).trim()

/** What is offered for the last name of a text that separates names by commas: the whole text with each choice that it does not name yet. */
export function choicesOfLast<T extends { value: string }>(text: string, choices: readonly T[]): T[] {
  const before = namesOf(text.slice(0, text.lastIndexOf(',') + 1))
  return choices
    .filter(({ value }) => !before.includes(value))
    .map((choice) => ({ ...choice, value: [...before, choice.value].join(', ') }))
}
