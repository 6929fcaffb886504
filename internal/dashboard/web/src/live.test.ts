// @vitest-environment jsdom
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TypedDocumentString } from './gql'

/** When a connection was tried, all of which fail. */
const tried: number[] = []

class Away {
  onclose?: (event: object) => void
  constructor() {
    tried.push(Date.now())
    setTimeout(() => this.onclose?.({ code: 1006, reason: '' }))
  }
  close() {}
}

const document = new TypedDocumentString<{ n: number }, Record<string, never>>('subscription S { n }')
const minute = 60_000
const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))

beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a server that was away for long is found again soon', async () => {
  vi.stubGlobal('WebSocket', Away)
  vi.resetModules() // the client of a module that another test has loaded keeps the WebSocket of then
  const { own, resume, useLive } = await import('./api')
  const root = createRoot(globalThis.document.createElement('div'))
  const Watcher = () => {
    useLive(
      document,
      {},
      () => {},
      () => {},
    )
    return null
  }
  await act(async () => root.render(createElement(Watcher)))
  await pass(60 * minute)
  const before = tried.length
  await pass(minute)
  expect(tried.length).toBeGreaterThan(before)

  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
  own({ email: 'ada@example.org', environmentId: 'dev' })
  const already = tried.length
  await act(() => resume('ada@example.org'))
  await pass(1)
  expect(tried.length).toBeGreaterThan(already)
  await act(async () => root.unmount())
})
