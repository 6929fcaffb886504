import { expect, test } from 'vitest'
import { de } from './de/index'
import { en } from './en/index'
import { fill, find, type Message, preferredLanguage, t } from './text'

const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const values = (message: Message) => [...new Set(forms(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort()

test('German has each text of English, and no other', () => {
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort())
})

test.each(Object.keys(en) as (keyof typeof en)[])(
  '%s takes the same values in each language, and is not empty',
  (key) => {
    expect(values(de[key])).toEqual(values(en[key]))
    expect(typeof de[key]).toBe(typeof en[key])
    for (const text of [...forms(en[key]), ...forms(de[key])]) expect(text.trim()).not.toBe('')
  },
)

test('each text is used, and each text that is used exists', () => {
  const sources = Object.entries(
    import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts', '!../gql.ts', '!./**'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  )
    .map(([, text]) => text)
    .join('\n')
  const used = new Set([...sources.matchAll(/'([a-z]+\.[\w.]+)'/g)].map((m) => m[1]!))
  // Those of values of the API are put together from the value.
  const named = Object.keys(en).filter((key) => !/^(word|reason|period)\./.test(key))
  const begun = [...sources.matchAll(/\bt\(`([a-z]+\.[\w.]*)\$\{/g)].map((m) => m[1]!)
  expect(named.filter((key) => !used.has(key) && !begun.some((part) => key.startsWith(part)))).toEqual([])
  const asked = [...sources.matchAll(/\bt\(\s*'([^']+)'/g)].map((m) => m[1]!)
  expect(asked.filter((key) => !Object.hasOwn(en, key))).toEqual([])
})

test('values and numbers are filled in', () => {
  expect(fill('{a} of {b}', { a: 'x', b: 2000 }, 'en')).toBe('x of 2,000')
  expect(fill('{b}', { b: 2000 }, 'de')).toBe('2.000')
  const failures = { one: '{n} failure', other: '{n} failures' }
  expect([0, 1, 2].map((n) => fill(failures, { n }, 'en'))).toEqual(['0 failures', '1 failure', '2 failures'])
  expect(fill('{missing}', {}, 'en')).toBe('{missing}')
})

test('the language is the chosen one, else one of the browser’s, else English', () => {
  expect(preferredLanguage('de', ['en-US'])).toBe('de')
  expect(preferredLanguage(null, ['fr-FR', 'de-AT'])).toBe('de')
  expect(preferredLanguage('tlh', ['fr'])).toBe('en')
})

test('texts are English until another language is loaded', () => {
  expect(t('nav.activity')).toBe('Activity')
  expect(find('word.IN_APP')).toBe('In-app')
  expect(find('word.toString')).toBeUndefined()
})
