import { expect, test } from 'vitest'
import {
  byChannel,
  change,
  isolated,
  isUnhealthy,
  latency,
  period,
  refreshOf,
  share,
  spanQuery,
  totals,
} from './overview-figures'

const counts = (messages: number, failed = 0) => ({ messages, sent: messages - failed, failed, pending: 0 })

test('spans add up, in all and by channel', () => {
  expect(totals([counts(2), counts(3, 1)])).toEqual({ messages: 5, sent: 4, failed: 1, pending: 0 })
  expect(totals([])).toEqual(counts(0))
  const channels = byChannel([
    { channels: [{ channel: 'SMS', latency: null, ...counts(1) }] as never },
    {
      channels: [
        { channel: 'EMAIL', latency: null, ...counts(4, 1) },
        { channel: 'SMS', latency: null, ...counts(2) },
      ] as never,
    },
  ])
  expect(channels.map((c) => [c.channel, c.messages, c.failed])).toEqual([
    ['EMAIL', 4, 1],
    ['SMS', 3, 0],
  ])
})

test('figures are compared with the period before', () => {
  expect(change(12, 10)).toBeCloseTo(0.2)
  expect(change(5, 10)).toBeCloseTo(-0.5)
  expect(change(5, 0)).toBeNull()
  expect(change(null, 3)).toBeNull()
  expect(share(1, 4)).toBe(0.25)
  expect(share(0, 0)).toBeNull()
})

test('latency counts each span by what it sent', () => {
  const p = (p50: number) => ({ p50, p95: 0, p99: 0 })
  expect(
    latency(
      [
        { sent: 1, latency: p(10) },
        { sent: 3, latency: p(20) },
        { sent: 0, latency: null },
      ],
      'p50',
    ),
  ).toBe(17.5)
  expect(latency([{ sent: 0, latency: null }], 'p50')).toBeNull()
})

test('a period and the one before it follow each other', () => {
  const now = Date.parse('2026-01-01T12:00:00.999Z')
  expect(period(3600, now)).toEqual({
    from: '2026-01-01T11:00:00.000Z',
    to: '2026-01-01T12:00:00.000Z',
    before: '2026-01-01T10:00:00.000Z',
  })
})

test('the numbers of a long period are read anew less often', () => {
  expect([3600, 86_400, 7 * 86_400].map(refreshOf)).toEqual([30_000, 144_000, 300_000])
})

test('an integration with an open breaker or many failures is unhealthy', () => {
  const health = (attempts: number, rejected: number) => ({ attempts, rejected, unknown: 0 })
  expect(isUnhealthy({ active: true, breaker: 'OPEN', health: null })).toBe(true)
  expect(isUnhealthy({ active: true, breaker: 'CLOSED', health: health(100, 6) })).toBe(true)
  expect(isUnhealthy({ active: true, breaker: 'CLOSED', health: health(100, 5) })).toBe(false)
  expect(isUnhealthy({ active: true, breaker: 'CLOSED', health: health(0, 0) })).toBe(false)
  expect(isUnhealthy({ active: false, breaker: 'OPEN', health: null })).toBe(false)
})

test('a span leads to its list', () => {
  expect(spanQuery('2026-01-01T11:00:00Z', 60)).toBe('from=2026-01-01T11%3A00%3A00Z&to=2026-01-01T11%3A01%3A00.000Z')
})

test('values without a neighbour are drawn as points', () => {
  expect(isolated([1, 2, null, 3, null, null, 0])).toEqual([3, 6])
  expect(isolated([5])).toEqual([0])
  expect(isolated([])).toEqual([])
})
