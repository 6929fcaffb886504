import { afterEach, expect, test, vi } from 'vitest'
import {
  belongs,
  instant,
  messageFilter,
  onTheClock,
  parseViews,
  requestFilter,
  runFilter,
  savedQuery,
  within,
  withView,
} from './activity-query'

afterEach(() => void vi.unstubAllEnvs())

const now = Date.parse('2026-03-10T12:00:30Z')
const of = (values: Record<string, string>) => (name: string) => values[name] ?? ''

test('filters of an address become those of the API', () => {
  expect(runFilter(of({ subscriber: 'anna', status: 'PROBLEMS', context: 'region:eu, plan:pro' }), now)).toMatchObject({
    subscriberId: 'anna',
    workflow: undefined,
    statusIn: ['FAILED', 'PARKED'],
    contextKeys: ['region:eu', 'plan:pro'],
  })
  expect(messageFilter(of({ channel: 'EMAIL', status: 'ERROR' }), now)).toMatchObject({
    channelIn: ['EMAIL'],
    statusIn: ['ERROR'],
  })
  expect(requestFilter(of({ provider: 'sendgrid', status: 'REJECTED,UNKNOWN' }), now)).toMatchObject({
    providerId: 'sendgrid',
    outcomeIn: ['REJECTED', 'UNKNOWN'],
  })
})

test('what an address has wrong is no filter', () => {
  expect(runFilter(of({ status: 'NONSENSE', from: 'yesterday' }), now)).toEqual({})
})

test('a period moves by minutes', () => {
  expect(within(of({ since: '3600' }), now).createdAfter).toBe('2026-03-10T11:00:00.000Z')
  expect(within(of({ since: '3600' }), now + 20_000).createdAfter).toBe('2026-03-10T11:00:00.000Z')
  expect(within(of({ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }), now)).toEqual({
    createdAfter: '2026-03-01T00:00:00.000Z',
    createdBefore: '2026-03-02T00:00:00.000Z',
  })
})

test('a time of the clock stays as it was typed, and is one instant for every reader', () => {
  for (const zone of ['Europe/Berlin', 'Asia/Kolkata', 'America/New_York']) {
    vi.stubEnv('TZ', zone)
    for (const typed of ['0002-11-29T10:00', '0202-11-29T10:00', '2026-11-29T10:00', '2026-07-01T23:59'])
      expect(onTheClock(instant(typed) ?? ''), zone).toBe(typed)
  }
  expect(instant('2026-11-29T10:00')).toBe('2026-11-29T15:00:00.000Z')
  expect(onTheClock('2026-11-29T10:00:00+01:00')).toBe('2026-11-29T04:00')
  expect(onTheClock('')).toBe('')
})

test('views are kept by name, without what is selected', () => {
  const query = savedQuery(new URLSearchParams('status=FAILED&run=abc&env=dev&view=messages'))
  expect(query).toBe('view=messages&status=FAILED')
  const views = withView(withView([], { name: 'b', query }), { name: 'a', query: '' })
  expect(views.map((v) => v.name)).toEqual(['a', 'b'])
  expect(withView(views, { name: 'b', query: 'x' })[1]!.query).toBe('x')
  expect(parseViews(JSON.stringify(views))).toEqual(views)
  expect(parseViews('{')).toEqual([])
  expect(parseViews('[{"name":1},null]')).toEqual([])
})

test('an update belongs to a list of its status', () => {
  expect(belongs({ status: 'FAILED' }, { statusIn: ['FAILED'] })).toBe(true)
  expect(belongs({ status: 'COMPLETED' }, { statusIn: ['FAILED'] })).toBe(false)
  expect(belongs({ status: 'COMPLETED' }, {})).toBe(true)
})
