import { find } from './text/text'

/** An upper-case name of the API as people write it: IN_APP is In-app. */
export function words(name: string): string {
  const text = name.toLowerCase().replaceAll('_', ' ')
  return find(`word.${name}`) ?? text.charAt(0).toUpperCase() + text.slice(1)
}

/** A number with its noun: 1 failure, 2 failures. */
export const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
