// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal(
  'BroadcastChannel',
  class {
    postMessage() {}
  },
)
const { eraseAll, readExport } = await import('./subscriber-data')

const asked: Record<string, unknown>[] = []
const answers: object[] = []

beforeEach(() => {
  asked.splice(0)
  answers.splice(0)
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    asked.push(JSON.parse(String(init.body)).variables)
    return new Response(JSON.stringify({ data: answers.shift() }))
  })
})

const page = (kind: string, endCursor: string | null) => ({
  exportSubscriber: { records: [{ kind, data: {} }], pageInfo: { hasNextPage: endCursor !== null, endCursor } },
})

test('an export reads all pages, one record a line', async () => {
  answers.push(page('SUBSCRIBER', 'c1'), page('MESSAGE', null))
  const counts: number[] = []
  const lines = await readExport('anna', (n) => counts.push(n))
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['SUBSCRIBER', 'MESSAGE'])
  expect(counts).toEqual([1, 2])
  expect(asked.map((v) => v.after)).toEqual([undefined, 'c1'])
})

test('erasing continues until nothing is left', async () => {
  answers.push(
    { eraseSubscriber: { erasure: { rows: 500, done: false } } },
    { eraseSubscriber: { erasure: { rows: 3, done: true } } },
  )
  expect(await eraseAll('anna', () => {})).toBe(503)
  expect(asked).toHaveLength(2)
  answers.push({ eraseSubscriber: { erasure: null } })
  expect(await eraseAll('nobody', () => {})).toBe(0)
})
