import { describe, expect, test } from 'vitest'
import { addUpdates, mergeUpdates } from './activity-rows'
import { isIsolated, linePath, roundUp, scale } from './chart-scale'
import { rateText, toCredentialsInput, toRateLimit } from './credentials'
import { allScopes, expiry, keyEnd, presets, scopeName, scopeNames } from './key-scopes'
import { placeAddress, renderTag, snippetPlaces } from './places'
import { attemptsByProvider, failuresOf } from './provider-statistics'
import { addHours, fromTimeInput, removeHours, setHours, toTimeInput } from './times'
import { newer, reasonTone } from './trace-state'
import { lackingLocales, languageName, missingKeys, repeatedKey, repeats, toRows } from './translation-rows'

describe('activity', () => {
  const row = (id: string, status = 'PENDING', createdAt = `2026-01-01T00:00:0${id}Z`) => ({ id, status, createdAt })
  const updates = (...rows: ReturnType<typeof row>[]) => addUpdates(new Map(), rows)
  const ids = (rows: { id: string }[]) => rows.map((r) => r.id).join('')

  test('an update replaces its row', () => {
    const rows = mergeUpdates([row('2'), row('1')], updates(row('1', 'FAILED')), { addNew: false, status: '' })
    expect(rows).toEqual([row('2'), row('1', 'FAILED')])
  })

  test('new notifications come first, newest first, on the first page only', () => {
    const page = [row('3'), row('2')]
    const later = updates(row('4'), row('5'), row('1'))
    expect(ids(mergeUpdates(page, later, { addNew: true, status: '' }))).toBe('5432')
    expect(ids(mergeUpdates(page, later, { addNew: false, status: '' }))).toBe('32')
    expect(ids(mergeUpdates([], later, { addNew: true, status: '' }))).toBe('541')
  })

  test('rows leave the page when their status no longer matches', () => {
    const later = updates(row('2', 'COMPLETED'), row('4', 'COMPLETED'))
    expect(ids(mergeUpdates([row('3'), row('2')], later, { addNew: true, status: 'PENDING' }))).toBe('3')
  })

  test('rows and updates are bounded', () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ id: `n${i}`, status: '', createdAt: String(1000 + i) }))
    const later = addUpdates(new Map(), many)
    expect(later.size).toBe(200)
    expect(later.has('n99')).toBe(false)
    expect(mergeUpdates([], later, { addNew: true, status: '' })).toHaveLength(50)
    const again = addUpdates(later, [many[100]!, { id: 'new', status: '', createdAt: '' }])
    expect(again.has('n100')).toBe(true)
    expect(again.has('n101')).toBe(false)
  })
})

describe('charts', () => {
  test.each([
    [0.3, 0.5],
    [1, 1],
    [1.1, 2],
    [3, 5],
    [7, 10],
    [120, 200],
  ])('%f is rounded up to %f', (size, step) => expect(roundUp(size)).toBeCloseTo(step))

  test.each([
    [0, 1, 1],
    [3, 1, 3],
    [10, 5, 10],
    [101, 50, 150],
  ])('values up to %i have lines every %i up to %i', (most, step, ceiling) =>
    expect(scale(most)).toEqual({ step, ceiling }),
  )

  test('a line is interrupted where values are missing', () => {
    const path = linePath(
      [1, 2, null, 3],
      (i) => i * 10,
      (v) => v,
    )
    expect(path).toBe('M0.0 1.0L10.0 2.0M30.0 3.0')
    expect([0, 1, 2, 3].map((i) => isIsolated([1, 2, null, 3], i))).toEqual([false, false, false, true])
    expect(isIsolated([null, null], 0)).toBe(false)
  })
})

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
      '',
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
    expect(languageName('pt-BR')).toBe('Brazilian Portuguese')
    expect(languageName('no locale')).toBe('–')
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
