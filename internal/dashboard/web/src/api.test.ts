// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { logIn, onSignedOut, request, sessionState } from './api'
import { TypedDocumentString } from './gql'

const document = new TypedDocumentString<{ n: number }, { id: string }>('query Q { n }')
const answer = (status: number, body: unknown) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })),
  )

afterEach(() => vi.unstubAllGlobals())

test('a request sends the document with its variables and returns the data', async () => {
  answer(200, { data: { n: 1 } })
  await expect(request(document, { id: 'a' })).resolves.toEqual({ n: 1 })
  const [path, init] = vi.mocked(fetch).mock.calls[0]!
  expect(path).toBe('/graphql')
  expect(JSON.parse(String(init?.body))).toEqual({ query: 'query Q { n }', variables: { id: 'a' } })
})

test('an error of the server is thrown with its fields', async () => {
  const extensions = { code: 'INVALID', fields: [{ path: 'input.name', message: 'is required' }] }
  answer(200, { data: null, errors: [{ message: 'invalid', extensions }] })
  await expect(request(document, { id: '' })).rejects.toMatchObject({
    code: 'INVALID',
    fields: [{ path: 'name', message: 'is required' }],
  })
})

test('an answer that is not GraphQL names its status', async () => {
  answer(502, '<html>')
  await expect(request(document, { id: '' })).rejects.toThrow(/502/)
})

test('a lost connection is explained', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')))
  await expect(request(document, { id: '' })).rejects.toThrow(/cannot be reached/)
})

test('status 401 ends the session of the page until the listener is removed', async () => {
  const ended = vi.fn()
  const remove = onSignedOut(ended)
  const words = 'Your session had ended. Try again.' // the server's are for programs
  answer(401, { errors: [{ message: 'log in' }] })
  await expect(request(document, { id: '' })).rejects.toThrow(words)
  expect(ended).toHaveBeenCalledTimes(1)
  remove()
  await expect(request(document, { id: '' })).rejects.toThrow(words)
  expect(ended).toHaveBeenCalledTimes(1)
})

test('logging in reports why it was refused', async () => {
  answer(401, { message: 'A code is required.', code: 'SECOND_FACTOR_REQUIRED' })
  await expect(logIn('a@x.test', 'secret')).rejects.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
  answer(500, 'broken')
  await expect(logIn('a@x.test', 'secret')).rejects.toThrow(/500/)
  loggedIn(true)
  await expect(logIn('a@x.test', 'secret', '123456')).resolves.toBeUndefined()
  const init = vi.mocked(fetch).mock.calls[0]?.[1]
  expect(JSON.parse(String(init?.body))).toEqual({ email: 'a@x.test', password: 'secret', code: '123456' })
})

/** Answers log-ins; whether they last, the browser decides, which keeps the cookie or not. */
const loggedIn = (active: boolean) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async (_: string, init?: RequestInit) =>
      init?.method === 'POST' ? new Response(null, { status: 204 }) : new Response(JSON.stringify({ active })),
    ),
  )

test('logging in fails where the browser drops the cookie', async () => {
  loggedIn(false)
  await expect(logIn('a@x.test', 'secret')).rejects.toThrow(/drops the cookie of the log-in/)
})

test('the page works where the browser refuses what tabs hear of each other', async () => {
  vi.resetModules()
  vi.stubGlobal(
    'BroadcastChannel',
    vi.fn(function refused() {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }),
  )
  const api = await import('./api')
  vi.resetModules()
  answer(200, { data: { n: 1 } })
  await expect(api.request(document, { id: 'a' })).resolves.toEqual({ n: 1 })
})

test('a tab that another one contradicts is loaded again, once it knows whose it is', async () => {
  const [dev, live] = ['dev', 'live'].map((environmentId) => ({ email: 'ada@example.org', environmentId }))
  const reload = vi.fn()
  const tab = async () => {
    vi.resetModules()
    const channel = { postMessage: vi.fn(), onmessage: (_: { data: unknown }) => {} }
    vi.stubGlobal('BroadcastChannel', function open() {
      return channel
    })
    vi.stubGlobal('location', { href: 'http://x.test/dashboard/', reload })
    vi.stubGlobal('history', { state: null, replaceState: () => {} })
    const { own } = await import('./api')
    vi.resetModules()
    return { own, hears: (data: unknown) => channel.onmessage({ data }) }
  }
  const known = await tab()
  known.own(dev!)
  known.hears(dev)
  expect(reload).not.toHaveBeenCalled()
  known.hears(live)
  expect(reload).toHaveBeenCalledTimes(1)
  const loading = await tab()
  loading.hears(dev)
  loading.own(dev!)
  expect(reload).toHaveBeenCalledTimes(1) // as when a browser opens all tabs of before at once
  const late = await tab()
  late.hears(live)
  late.own(dev!)
  expect(reload).toHaveBeenCalledTimes(2)
})

test('the session is read from the server', async () => {
  answer(200, { active: true, oidc: false, mail: true })
  await expect(sessionState()).resolves.toMatchObject({ active: true, mail: true })
  answer(503, '')
  await expect(sessionState()).rejects.toThrow(/503/)
})

test('logging out ends queries under way, and no change', async () => {
  vi.resetModules() // it is the end of the module for a page
  const { logOut, request } = await import('./api')
  vi.resetModules()
  const paths: string[] = []
  const changed = vi.fn()
  vi.stubGlobal(
    'fetch',
    vi.fn((path: string, init?: RequestInit) => {
      paths.push(`${init?.method} ${path}`)
      if (path === '/dashboard/session') return Promise.resolve(new Response(null, { status: 204 }))
      return new Promise((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        if (!init?.signal) changed.mockImplementation(() => resolve(new Response('{"data": {"n": 2}}')))
      })
    }),
  )
  const settled = vi.fn()
  request(document, { id: 'a' }).then(settled, settled)
  const change = request(new TypedDocumentString<{ n: number }, object>('mutation M { n }'), {})
  await logOut()
  request(document, { id: 'b' }).then(settled, settled)
  changed()
  await expect(change).resolves.toEqual({ n: 2 })
  expect(settled).not.toHaveBeenCalled()
  expect(paths).toContain('DELETE /dashboard/session')
})
