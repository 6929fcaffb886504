import { en } from './en/index'

/** What a text is called. English has all of them; a test holds the other languages to the same ones. */
export type Key = keyof typeof en

/** A text. With a number n it has a form for one and a form for the others. */
export type Message = string | { one: string; other: string }

export type Catalogue = Readonly<Record<Key, Message>>

/** The languages of the dashboard, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languages

const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

const load: Record<Language, () => Promise<Catalogue>> = {
  en: async () => en,
  de: () => import('./de/index').then((m) => m.de),
}

let spoken: Language = 'en'
let catalogue: Catalogue = en

/** The language in which the dashboard is shown. */
export const language = (): Language => spoken

const stored = 'carillon-language'

/** The language that the person chose, else the first of the browser's that there is. */
export function preferredLanguage(chosen: string | null, wished: readonly string[]): Language {
  const codes = [chosen ?? '', ...wished.map((tag) => tag.slice(0, 2).toLowerCase())]
  return codes.find(isLanguage) ?? 'en'
}

/** A number as the language of the dashboard writes it. */
export const number = (n: number, options?: Intl.NumberFormatOptions) => n.toLocaleString(spoken, options)

/** Loads the language of the person. Texts are English until it is there, and when it cannot be had. */
export async function speak(code = preferredLanguage(localStorage.getItem(stored), navigator.languages)) {
  catalogue = await load[code]()
  spoken = code
  document.documentElement.lang = code
}

/** Changes the language, for this browser. */
export function chooseLanguage(code: string) {
  localStorage.setItem(stored, code)
  location.reload()
}

type Values = Readonly<Record<string, string | number>>

/** A text with its values filled in. */
export function fill(message: Message, values: Values, locale: string): string {
  const text =
    typeof message === 'string'
      ? message
      : new Intl.PluralRules(locale).select(Number(values.n)) === 'one'
        ? message.one
        : message.other
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? value.toLocaleString(locale) : (value ?? whole)
  })
}

/** The text of a key in the language of the page. */
export const t = (key: Key, values: Values = {}): string => fill(catalogue[key], values, spoken)

/** The text of a key that is put together, such as that of a value of the API; undefined when there is none. */
export const find = (key: string): string | undefined =>
  Object.hasOwn(catalogue, key) ? fill(catalogue[key as Key], {}, spoken) : undefined
