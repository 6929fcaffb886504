// @vitest-environment jsdom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { useFilters, useInnerPager, usePager } from './address'
import { own, resume, useAction, useQuery } from './api'
import { TypedDocumentString } from './gql'
import { useRefresh } from './pages/refresh'
import { useKept } from './saved'

const document = new TypedDocumentString<{ n: number }, { id: string }>('query Q { n }')

/** Requests in the order in which they came, answered by the test. */
const asked: { variables?: { id: string }; answer: (body: unknown) => Promise<void> }[] = []
let root: Root

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  asked.splice(0)
  root = createRoot(globalThis.document.createElement('div'))
  vi.stubGlobal(
    'fetch',
    vi.fn(
      (_path: string, init: RequestInit) =>
        new Promise<Response>((resolve) => {
          const { variables } = JSON.parse(String(init.body))
          asked.push({ variables, answer: (body) => act(async () => resolve(new Response(JSON.stringify(body)))) })
        }),
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Shows a component that calls a hook; at is what the hook returned last. */
async function mount<P extends object, R>(hook: (props: P) => R, props: P, path?: ReturnType<typeof memoryLocation>) {
  const result = {} as { at: R; show: (props: P) => Promise<void> }
  const Caller = (given: P) => {
    result.at = hook(given)
    return null
  }
  result.show = (given) =>
    act(async () => {
      const caller = createElement(Caller, given)
      root.render(
        path
          ? createElement(
              Router,
              { hook: path.hook, searchHook: path.searchHook } as Parameters<typeof Router>[0],
              caller,
            )
          : caller,
      )
    })
  await result.show(props)
  return result
}

test('a query keeps its data while newer data is read, and drops answers that are late', async () => {
  const query = await mount(({ id }: { id: string }) => useQuery(document, { id }), { id: 'a' })
  expect([query.at.data, query.at.loading]).toEqual([undefined, true])
  await asked[0]!.answer({ data: { n: 1 } })
  expect(query.at).toMatchObject({ data: { n: 1 }, loading: false })
  await query.show({ id: 'b' })
  await query.show({ id: 'c' })
  expect(query.at).toMatchObject({ data: { n: 1 }, loading: true })
  await asked[2]!.answer({ data: { n: 3 } })
  await asked[1]!.answer({ data: { n: 2 } })
  expect(query.at).toMatchObject({ data: { n: 3 }, loading: false })
  expect(asked.map((r) => r.variables?.id)).toEqual(['a', 'b', 'c'])
})

test('a query with equal variables is not sent again until it is reloaded', async () => {
  const query = await mount(({ id }: { id: string }) => useQuery(document, { id }), { id: 'a' })
  await asked[0]!.answer({ data: { n: 1 } })
  await query.show({ id: 'a' })
  expect(asked).toHaveLength(1)
  await act(async () => query.at.reload())
  await asked[1]!.answer({ errors: [{ message: 'busy' }] })
  expect(query.at).toMatchObject({ data: { n: 1 }, error: { message: 'busy' }, loading: false })
})

test('a query that is skipped is sent once it is wanted', async () => {
  const query = await mount(({ skip }: { skip: boolean }) => useQuery(document, { id: 'a' }, skip), { skip: true })
  expect(query.at.loading).toBe(false)
  expect(asked).toHaveLength(0)
  await query.show({ skip: false })
  expect(asked).toHaveLength(1)
})

test('a query that failed is sent again when the person has logged in again, one that has its data is not', async () => {
  const query = await mount(({ id }: { id: string }) => useQuery(document, { id }), { id: 'a' })
  vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockReturnValue() // which the other modules of the tests would hear
  own({ email: 'Ada@example.org', environmentId: 'live' })
  await asked[0]!.answer({ errors: [{ message: 'log in' }] })
  const logIn = async () => {
    const done = resume('ada@example.org')
    await asked.at(-1)!.answer({})
    await act(async () => expect(await done).toBe(true))
  }
  await logIn()
  expect(asked.map((r) => r.variables?.id)).toEqual(['a', undefined, 'a'])
  await asked[2]!.answer({ data: { n: 1 } })
  expect(query.at).toMatchObject({ data: { n: 1 }, loading: false })
  await logIn()
  expect(asked).toHaveLength(4)
})

test('what is typed while a form is being saved has changes, and is not said to be saved', async () => {
  const form = await mount(({ value }: { value: string }) => useKept(value), { value: 'stored' })
  expect(form.at).toMatchObject({ changed: false, saved: false })
  await form.show({ value: 'sent' })
  expect(form.at).toMatchObject({ changed: true, saved: false })
  const { keep } = form.at
  await form.show({ value: 'typed meanwhile' })
  await act(async () => keep())
  expect(form.at).toMatchObject({ changed: true, saved: false })
  await form.show({ value: 'sent' })
  expect(form.at).toMatchObject({ changed: false, saved: true })
})

test('a list is read anew, more often while it is busy', async () => {
  vi.useFakeTimers()
  const reload = vi.fn()
  const refresh = await mount(({ busy }: { busy: boolean }) => useRefresh(busy, reload), { busy: true })
  vi.advanceTimersByTime(4000)
  expect(reload).toHaveBeenCalledTimes(2)
  await refresh.show({ busy: false })
  vi.advanceTimersByTime(29_000)
  expect(reload).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1000)
  expect(reload).toHaveBeenCalledTimes(3)
  vi.useRealTimers()
})

test('an action reports its error until it runs again or is cleared', async () => {
  const done = vi.fn()
  const action = await mount(() => useAction(document, done), {})
  const run = async (body: unknown) => {
    let result: Promise<boolean> | undefined
    await act(async () => {
      result = action.at.run({ id: 'a' })
    })
    expect([action.at.busy, action.at.error]).toEqual([true, undefined])
    await asked.at(-1)!.answer(body)
    return result
  }
  expect(await run({ errors: [{ message: 'refused' }] })).toBe(false)
  expect(action.at).toMatchObject({ busy: false, error: { message: 'refused' } })
  expect(done).not.toHaveBeenCalled()
  expect(await run({ data: { n: 1 } })).toBe(true)
  expect(done.mock.calls).toEqual([[{ n: 1 }]])
  await run({ errors: [{ message: 'refused' }] })
  await act(async () => action.at.clear())
  expect(action.at.error).toBeUndefined()
})

test('filters and pages are read from the address and written to it', async () => {
  const path = memoryLocation({ path: '/activity?status=SENT&after=x&keys-before=y', record: true })
  const list = await mount(() => ({ filters: useFilters(), pager: usePager(), keys: usePager('keys-') }), {}, path)
  expect(list.at.filters.get('status')).toBe('SENT')
  expect(list.at.filters.get('channel')).toBe('')
  expect(list.at.pager.variables).toEqual({ first: 25, after: 'x' })
  expect(list.at.keys.variables).toEqual({ last: 25, before: 'y' })
  await act(async () => list.at.pager.go({ after: 'z' }))
  expect(path.history.at(-1)).toBe('/activity?status=SENT&after=z&keys-before=y')
  const entries = path.history.length
  await act(async () => list.at.filters.set('status')('FAILED'))
  expect(path.history.at(-1)).toBe('/activity?status=FAILED&keys-before=y')
  expect(path.history).toHaveLength(entries) // a filter replaces the entry: back leads to the page before the list
})

test('the page of an inner list is not part of the address', async () => {
  const list = await mount(() => useInnerPager(), {})
  expect(list.at).toMatchObject({ variables: { first: 25, after: undefined }, first: true })
  await act(async () => list.at.go({ before: 'b' }))
  expect(list.at).toMatchObject({ variables: { last: 25, before: 'b' }, first: false })
})
