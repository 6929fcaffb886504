export type Row = [key: string, text: string]

/** The name of a locale's language, in a language; – when it is no locale. */
export function languageName(locale: string, shown: string): string {
  try {
    return new Intl.DisplayNames(shown, { type: 'language' }).of(locale) ?? locale
  } catch {
    return '–'
  }
}

/** The texts of a locale as rows, sorted by key. */
export const toRows = (content: Record<string, string>): Row[] =>
  Object.entries(content).sort(([a], [b]) => a.localeCompare(b))

const firstOf = (rows: readonly Row[], key: string) => rows.findIndex(([k]) => k === key)

/** Reports whether a row repeats the key of an earlier one. */
export const repeats = (rows: readonly Row[], at: number) => firstOf(rows, rows[at]?.[0] ?? '') < at

/** The first key that two rows share. */
export const repeatedKey = (rows: readonly Row[]) => rows.find((_, i) => repeats(rows, i))?.[0]

/** The keys of another locale that rows do not have, sorted. */
export const missingKeys = (rows: readonly Row[], other: Record<string, string>) =>
  Object.keys(other)
    .filter((key) => firstOf(rows, key) < 0)
    .sort()

/** The locales that lack a key of a page of missing translations, sorted: the columns of its grid. */
export const lackingLocales = (missing: readonly { locales: readonly string[] }[]) =>
  [...new Set(missing.flatMap((m) => m.locales))].sort()
