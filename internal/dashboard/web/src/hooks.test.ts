// @vitest-environment jsdom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { useFilters, useInnerPager, usePager } from './address'
import { own, resume, useAction, useActionOnce, useQuery } from './api'
import { useEdited } from './edited'
import { TypedDocumentString } from './gql'
import { useWindowed } from './pages/long-list'
import { useRefresh } from './pages/refresh'

// jsdom has none.
vi.hoisted(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} })),
)

const document = new TypedDocumentString<{ n: number }, { id: string }>('query Q { n }')

/** Requests in the order in which they came, answered by the test. */
const asked: {
  variables?: { id: string }
  key?: string
  answer: (body: unknown) => Promise<void>
  lose: () => Promise<void>
}[] = []
let root: Root

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  asked.splice(0)
  root = createRoot(globalThis.document.createElement('div'))
  vi.stubGlobal(
    'fetch',
    vi.fn(
      (_path: string, init: RequestInit) =>
        new Promise<Response>((resolve, reject) => {
          const { variables } = JSON.parse(String(init.body))
          asked.push({
            variables,
            key: new Headers(init.headers).get('Idempotency-Key') ?? undefined,
            answer: (body) => act(async () => resolve(new Response(JSON.stringify(body)))),
            lose: () => act(async () => reject(new TypeError('Failed to fetch'))),
          })
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

type Named = { name: string; note: string }

/** A form that edits the record that stored holds, and what it sent. */
async function editing(stored: { now: Named }) {
  const sent: Partial<Named>[] = []
  const form = await mount(
    () =>
      useEdited({
        of: stored.now,
        valuesOf: (r: Named) => ({ ...r }),
        read: async () => stored.now,
        send: async (changes) => {
          sent.push(changes)
          stored.now = { ...stored.now, ...changes }
        },
        onSaved: () => {},
      }),
    {},
  )
  return { form, sent, set: (change: Partial<Named>) => act(async () => form.at.set(change)) }
}

test('a form sends what was changed in it, and shows what others changed meanwhile', async () => {
  const stored = { now: { name: 'Ann', note: 'a' } }
  const { form, sent, set } = await editing(stored)
  expect(form.at).toMatchObject({ changed: false, saved: false })
  await act(() => form.at.save())
  expect(sent).toEqual([])
  await set({ name: 'Anna' })
  expect(form.at).toMatchObject({ changed: true, saved: false })
  stored.now = { ...stored.now, note: 'from another' }
  await act(() => form.at.save())
  expect(sent).toEqual([{ name: 'Anna' }])
  expect(form.at).toMatchObject({ changed: false, saved: true, values: { name: 'Anna', note: 'from another' } })
  await set({ note: 'mine' })
  await act(() => form.at.save())
  expect(stored.now).toEqual({ name: 'Anna', note: 'mine' })
})

test('what is typed while a form is being saved stays, and is not said to be saved', async () => {
  const { form, set } = await editing({ now: { name: 'Ann', note: '' } })
  await set({ name: 'sent' })
  const { save } = form.at
  await set({ name: 'typed meanwhile' })
  await act(save) // which has what was there when it was called
  expect(form.at).toMatchObject({ changed: true, saved: false, values: { name: 'typed meanwhile' } })
  await set({ name: 'sent' })
  expect(form.at).toMatchObject({ changed: false, saved: true })
})

test('a form does not overwrite a field that was changed elsewhere, unless it is told to', async () => {
  const stored = { now: { name: 'Ann', note: 'a' } }
  const { form, sent, set } = await editing(stored)
  await set({ name: 'mine', note: 'mine, too' })
  stored.now = { ...stored.now, name: 'theirs' }
  await act(() => form.at.save())
  expect(sent).toEqual([])
  expect(form.at.conflict?.fields).toEqual([{ path: 'name', message: 'Meanwhile changed to: theirs' }])
  await act(async () => void (await form.at.conflict!.onTheirs()))
  expect(form.at).toMatchObject({ conflict: undefined, changed: true, values: { name: 'theirs', note: 'mine, too' } })
  await act(() => form.at.save())
  expect(stored.now).toEqual({ name: 'theirs', note: 'mine, too' })

  await set({ name: 'mine again' })
  stored.now = { ...stored.now, name: 'theirs again' }
  await act(() => form.at.save())
  await act(async () => void (await form.at.conflict!.onMine()))
  expect(stored.now.name).toBe('mine again')
  await set({ name: 'the same' })
  stored.now = { ...stored.now, name: 'the same' }
  await act(() => form.at.save())
  expect(form.at).toMatchObject({ conflict: undefined, saved: true })
})

test('a long list that is read anew takes no page by the cursors of the one before', async () => {
  type Answer = { rows: { id: string }[]; info: { hasNextPage: boolean; endCursor: string | null } }
  const reads: { of: string; after: string | null; answer: (rows: string[]) => Promise<void> }[] = []
  const list = await mount(
    ({ of }: { of: string }) =>
      useWindowed(
        of,
        (after) =>
          new Promise<Answer>((resolve) => {
            const answer = (rows: string[]) =>
              act(async () =>
                resolve({
                  rows: rows.map((id) => ({ id })),
                  info: { hasNextPage: true, endCursor: `${of} ${rows.at(-1)}` },
                }),
              )
            reads.push({ of, after, answer })
          }),
      ),
    { of: 'a' },
  )
  await reads[0]!.answer(['a0'])
  await list.show({ of: 'b' })
  await act(async () => list.at.show(50, 60)) // scrolled while the rows of before are still shown
  await reads[1]!.answer(['b0'])
  await act(async () => list.at.show(50, 60))
  expect(reads.map(({ of, after }) => [of, after])).toEqual([
    ['a', null],
    ['b', null],
    ['b', 'b b0'],
  ])
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

test('an action that had no answer is sent again under its idempotency key, all else under a new one', async () => {
  const action = await mount(() => useActionOnce(document), {})
  const run = async (id: string, answer: (r: (typeof asked)[number]) => Promise<void>) => {
    await act(async () => void action.at.run({ id }))
    await answer(asked.at(-1)!)
  }
  const inUse = { errors: [{ message: 'busy', extensions: { code: 'IDEMPOTENCY_KEY_IN_USE' } }] }
  await run('a', (r) => r.lose())
  expect(action.at.error?.message).toMatch(/No answer came/)
  await run('a', (r) => r.answer(inUse))
  expect(action.at.error?.message).toMatch(/No answer came/)
  await run('a', (r) => r.answer({ data: { n: 1 } }))
  expect(action.at.error).toBeUndefined()
  await run('a', (r) => r.lose())
  await run('b', (r) => r.answer({ errors: [{ message: 'refused' }] }))
  await run('b', (r) => r.answer({ data: { n: 2 } }))
  expect(asked.map((r) => asked.findIndex(({ key }) => key === r.key))).toEqual([0, 0, 0, 3, 4, 5])
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
