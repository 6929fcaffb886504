import { describe, expect, test } from 'vitest'
import { rateText, toCredentialsInput, toRateLimit } from './credentials'
import { allScopes, expiry, keyEnd, presets, scopeName, scopeNames } from './key-scopes'
import { placeAddress, renderTag, snippetPlaces } from './places'
import { attemptsByProvider, failuresOf } from './provider-statistics'
import { addHours, fromTimeInput, removeHours, setHours, toTimeInput } from './times'
import { newer, reasonTone } from './trace-state'
import { lackingLocales, languageName, missingKeys, repeatedKey, repeats, toRows } from './translation-rows'

describe('credentials', () => {
  const fields = [
    { name: 'apiKey', kind: 'STRING' },
    { name: 'region', kind: 'STRING' },
    { name: 'account', kind: 'OBJECT' },
  ]
  test('are saved field by field; objects only when typed anew', () => {
    expect(toCredentialsInput(fields, { apiKey: 'k', old: 'x' })).toEqual({ apiKey: 'k', region: null })
    expect(toCredentialsInput(fields, { account: { a: 1 } })).toMatchObject({ account: { a: 1 } })
  })
  test('a rate limit may be fractional or missing', () => {
    expect([toRateLimit(''), toRateLimit('0.5')]).toEqual([null, 0.5])
    expect(rateText({ rateLimit: 5, learnedRate: 9 })).toBe('5/s')
    expect(rateText({ rateLimit: null, learnedRate: 9 })).toBe('9/s')
    expect(rateText({ rateLimit: null, learnedRate: null })).toBe('unlimited')
  })
})

describe('keys', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  test('end by revocation or by time', () => {
    expect(keyEnd({ revokedAt: '2025-12-01T00:00:00Z', expiresAt: null }, now)).toBe('revoked')
    expect(keyEnd({ revokedAt: null, expiresAt: '2025-12-31T23:59:59Z' }, now)).toBe('expired')
    expect(keyEnd({ revokedAt: null, expiresAt: '2026-01-01T00:00:01Z' }, now)).toBe('')
    expect(keyEnd({ revokedAt: null, expiresAt: null }, now)).toBe('')
    expect(expiry('30', now)).toBe('2026-01-31T00:00:00.000Z')
    expect(expiry('', now)).toBeUndefined()
  })
  test('show their scopes by name', () => {
    expect(scopeName('CONTENT_READ')).toBe('Content (read only)')
    expect(scopeNames([...presets.full!].reverse())).toBe('full access')
    expect(scopeNames(['TRIGGER', 'AUDIENCE_READ'])).toBe('Trigger, Audience (read only)')
    expect(
      Object.values(presets)
        .flat()
        .every((s) => allScopes.includes(s)),
    ).toBe(true)
  })
})

describe('providers', () => {
  const attempts = (providerId: string, accepted: number, rejected: number, unknown: number) => ({
    providerId,
    accepted,
    rejected,
    unknown,
  })
  const buckets = [
    { providers: [attempts('ses', 5, 0, 1), attempts('b', 1, 0, 0)] },
    { providers: [attempts('ses', 2, 1, 0), attempts('a', 1, 0, 0)] },
  ]
  test('are summed, those with failures first', () => {
    expect(attemptsByProvider(buckets)).toEqual([
      { id: 'ses', accepted: 7, rejected: 1, unknown: 1, failures: 2 },
      { id: 'a', accepted: 1, rejected: 0, unknown: 0, failures: 0 },
      { id: 'b', accepted: 1, rejected: 0, unknown: 0, failures: 0 },
    ])
    expect(buckets.map((b) => failuresOf(b, 'ses'))).toEqual([1, 1])
    expect(failuresOf(buckets[0]!, 'none')).toBe(0)
  })
})

describe('hours', () => {
  test.each([
    ['12:00 AM', '00:00'],
    ['12:30 PM', '12:30'],
    ['09:05 AM', '09:05'],
    ['11:59 PM', '23:59'],
  ])('%s is %s in a time input', (text, input) => {
    expect(toTimeInput(text)).toBe(input)
    expect(fromTimeInput(input)).toBe(text)
  })
  test('other texts are no times', () => expect(toTimeInput('9 o’clock')).toBe(''))
  test('a time that is erased is not midnight', () => expect(fromTimeInput('')).toBe(''))
  test('a day has ranges, or is open all day', () => {
    const day = addHours(addHours({ isEnabled: true }))
    expect(day.hours).toHaveLength(2)
    const changed = setHours(day, 1, { end: '06:00 PM' })
    expect(changed.hours?.map((h) => h.end)).toEqual(['05:00 PM', '06:00 PM'])
    expect(removeHours(changed, 0).hours).toEqual([{ start: '09:00 AM', end: '06:00 PM' }])
    expect(removeHours(addHours({ isEnabled: true }), 0)).toEqual({ isEnabled: true, hours: undefined })
  })
})

describe('traces', () => {
  test('reasons have a tone', () => {
    expect((['REJECTED', 'SENT', 'RETRY', 'STEP_INACTIVE'] as never[]).map(reasonTone)).toEqual([
      'bad',
      'good',
      'wait',
      'wait',
    ])
  })
  test('the one with more entries is the newer', () => {
    const read = { trace: [{ count: 1 }, { count: 2 }] }
    const update = { trace: [{ count: 3 }] }
    expect(newer(update, read)).toBe(update)
    expect(newer({ trace: [{ count: 2 }] }, read)).toBe(read)
    expect(newer(undefined, read)).toBe(read)
  })
})

describe('translations', () => {
  const rows = toRows({ b: '2', a: '1' })
  test('are rows sorted by key', () => {
    expect(rows).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
    expect(missingKeys(rows, { c: '', b: '', d: '' })).toEqual(['c', 'd'])
  })
  test('a key appears once', () => {
    const twice: [string, string][] = [...rows, ['a', '3']]
    expect(repeatedKey(rows)).toBeUndefined()
    expect(repeatedKey(twice)).toBe('a')
    expect(repeatedKey([...rows, ['', ''], ['', '']])).toBe('')
    expect([0, 1, 2].map((i) => repeats(twice, i))).toEqual([false, false, true])
  })
  test('missing ones are shown by the locales that lack them', () => {
    expect(lackingLocales([{ locales: ['pt-BR', 'de'] }, { locales: ['de', 'en'] }])).toEqual(['de', 'en', 'pt-BR'])
    expect(lackingLocales([])).toEqual([])
  })
  test('locales have names', () => {
    expect(languageName('pt-BR', 'en')).toBe('Brazilian Portuguese')
    expect(languageName('en', 'de')).toBe('Englisch')
    expect(languageName('no locale', 'en')).toBe('–')
  })
})

describe('places', () => {
  test('what renders a snippet leads to its page', () => {
    const places = snippetPlaces({
      workflows: [{ identifier: 'order' }],
      layouts: [{ identifier: 'a/b' }],
      snippets: [{ identifier: 'outer' }],
    })
    expect(places.map(placeAddress)).toEqual(['/workflows/order', '/layouts/a%2Fb', '/snippets/outer'])
    expect(placeAddress({ kind: 'INTEGRATION', name: 'relay' })).toBe('/integrations')
  })
  test('the members of an example are the arguments of a snippet', () => {
    expect(renderTag('card', { title: 1, 'not a name': 2, _hidden: 3, b_2: 4 })).toBe(
      '{% render "card", title: payload.title, b_2: payload.b_2 %}',
    )
    for (const none of [undefined, null, [], 'text', {}]) expect(renderTag('card', none)).toBe('{% render "card" %}')
  })
})
