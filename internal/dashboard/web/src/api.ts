import { createClient } from 'graphql-ws'
import { useCallback, useEffect, useRef, useState } from 'react'
import { withoutEnvironment } from './environment'
import { APIError, toAPIError, Unanswered } from './errors'
import { exactly, readJSON } from './exact'
import type { TypedDocumentString } from './gql'
import { Once } from './once'
import { t } from './text/text'

/** Sends a request. Throws an error that users understand when there is no response. */
async function send(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch {
    throw new Unanswered(t('error.unreachable'))
  }
}

// Ends what is read for the page when the person logs out.
const leaving = new AbortController()

const never = new Promise<never>(() => {})

const unexpected = (status: number) => new Unanswered(t('error.status', { status: String(status) }))

const logIns = new EventTarget()

/** Calls listener when the session has ended. */
export function onSignedOut(listener: () => void): () => void {
  logIns.addEventListener('end', listener)
  return () => logIns.removeEventListener('end', listener)
}

/** Calls listener when the person has to set up a second factor first. */
export function onEnrolment(listener: () => void): () => void {
  logIns.addEventListener('enrol', listener)
  return () => logIns.removeEventListener('enrol', listener)
}

/** Calls listener when the person has logged in again, on the page as it was left. */
function onResumed(listener: () => void): () => void {
  logIns.addEventListener('resume', listener)
  return () => logIns.removeEventListener('resume', listener)
}

/**
 * Runs one query or mutation. Queries do not settle once the person logs out: the page is loaded again then. A mutation that is sent again
 * with the same key, which is its idempotency key, is done once.
 */
export async function request<R, V>(document: TypedDocumentString<R, V>, variables: V, key?: string): Promise<R> {
  const query = document.toString()
  const signal = /^\s*query\b/.test(query) ? leaving.signal : null
  const response = await send('/graphql', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json',
      ...(key && { 'Idempotency-Key': key }),
    },
    body: JSON.stringify({ query, variables }),
    signal,
  }).catch((error) => (signal?.aborted ? never : Promise.reject(error)))
  const body = (await response
    .text()
    .then(readJSON)
    .catch(() => null)) as {
    data?: R
    errors?: Parameters<typeof toAPIError>[0][]
  } | null
  if (signal?.aborted) return never
  const failure = body?.errors?.[0]
  if (response.status === 401) {
    ended = true
    logIns.dispatchEvent(new Event('end'))
    throw new APIError(t('error.signedOut'), failure?.extensions?.code) // the server's words are for programs
  }
  if (failure) {
    if (failure.extensions?.code === 'SECOND_FACTOR_MISSING') logIns.dispatchEvent(new Event('enrol'))
    if (failure.extensions?.code === 'IDEMPOTENCY_KEY_IN_USE') throw new Unanswered(t('error.unclear'))
    throw toAPIError(failure)
  }
  if (!body?.data) throw unexpected(response.status)
  return body.data
}

async function session(method: string, body?: object): Promise<void> {
  const response = await send('/dashboard/session', {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  if (response.ok) return
  const answer = (await response.json().catch(() => null)) as { message?: string; code?: string } | null
  throw answer?.message ? new APIError(answer.message, answer.code) : unexpected(response.status)
}

/**
 * The state of the log-in: whether the person is logged in, whether the server offers OpenID Connect and password resets by
 * mail, whether the person must set up a second factor first, and why the last log-in was refused.
 */
export type Session = {
  active: boolean
  oidc: boolean
  mail: boolean
  enrol: boolean
  refused?: string
  version?: string
}

/** Reads the state of the log-in. */
export async function sessionState(): Promise<Session> {
  const response = await send('/dashboard/session')
  if (!response.ok) throw unexpected(response.status)
  return (await response.json()) as Session
}

/** Logs in. Fails when the browser drops the cookie: it forbids cookies, or the cookie is for https alone and the page came by http. */
export async function logIn(email: string, password: string, code = ''): Promise<void> {
  await session('POST', { email, password, code })
  if (!(await sessionState()).active) throw new APIError(t('login.noCookie', { host: location.host }))
}

/** Logs out. Whoever calls it loads the page again afterwards. */
export function logOut(): Promise<void> {
  leaving.abort()
  void live.dispose()
  return session('DELETE')
}

/** What the tabs of this browser hear of each other; undefined where it forbids cookies, with which Firefox refuses this as well. */
function channel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('carillon')
  } catch {
    return undefined
  }
}

const tabs = channel()

/** Whose a page is, and of which environment. */
type Owner = { email: string; environmentId: string }

let owner: Owner | undefined // of this page; undefined until it is known
let heard: Owner | undefined // what another tab said before
let ended = false // whether its log-in has

function loadAgain(): void {
  history.replaceState(history.state, '', withoutEnvironment(location.href)) // the one that it names was left
  location.reload()
}

const isSame = (a: Owner, b: Owner) => a.email === b.email && a.environmentId === b.environmentId

/** Says whose this page is. All tabs share the log-in: those whose page is another person's, or of another environment, are loaded again. */
export function own(page: Owner): void {
  if (heard && !isSame(heard, page)) {
    loadAgain() // whichever of the two is older
    return
  }
  owner = page
  ended = false
  tabs?.postMessage(page)
}

// A page whose log-in has ended keeps what was typed on it, and is moved when its person logs in there.
if (tabs)
  tabs.onmessage = ({ data: now }: MessageEvent<Owner>) => {
    if (!owner) heard = now
    else if (!ended && !isSame(owner, now)) loadAgain()
  }

/** Moves all tabs of this browser to another environment. */
export async function switchEnvironment(environmentId: string): Promise<void> {
  await session('PUT', { environmentId })
  tabs?.postMessage({ ...owner, environmentId })
}

/**
 * Continues the page with a new log-in, which began in another environment: moves it to the page's, then asks again for what could not be
 * read meanwhile. Reports false when the page is not that person's, or the environment no more.
 */
export async function resume(email: string): Promise<boolean> {
  if (owner?.email.toLowerCase() !== email.toLowerCase()) return false
  try {
    await session('PUT', { environmentId: owner.environmentId })
  } catch {
    return false
  }
  own(owner)
  logIns.dispatchEvent(new Event('resume'))
  return true
}

export type Loaded<R> = { data?: R; error?: Error; loading: boolean; reload: () => void }

/** Runs a query while the component is mounted, again whenever the variables change. Data is kept until newer data arrives. */
export function useQuery<R, V>(document: TypedDocumentString<R, V>, variables: V, skip = false): Loaded<R> {
  const key = JSON.stringify(variables)
  const [state, setState] = useState<{ data?: R; error?: Error; loading: boolean }>({ loading: !skip })
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: turn grows on reload.
  useEffect(() => {
    if (skip) return
    let wanted = true
    setState((s) => ({ ...s, loading: true }))
    request(document, readJSON(key) as V).then(
      (data) => wanted && setState({ data, loading: false }),
      (error: Error) => wanted && setState((s) => ({ data: s.data, error, loading: false })),
    )
    return () => {
      wanted = false
    }
  }, [document, key, turn, skip])
  const reload = useCallback(() => setTurn((n) => n + 1), [])
  const failed = state.error !== undefined
  useEffect(() => (failed ? onResumed(reload) : undefined), [failed, reload])
  return { ...state, reload }
}

export type Action<V> = { run: (variables: V) => Promise<boolean>; busy: boolean; error?: Error; clear: () => void }

/**
 * useAction of a mutation that must not be done twice, such as one that sends. Without an answer it may have been done, unless there was no
 * network: its error then says so, and run with the same variables does it once.
 */
export function useActionOnce<R, V>(document: TypedDocumentString<R, V>, done?: (result: R) => void): Action<V> {
  const [once] = useState(() => new Once())
  return useAction(document, done, (document, variables) =>
    once
      .send(variables, (key) => request(document, variables, key))
      .catch((error) => {
        throw error instanceof Unanswered && navigator.onLine ? new Unanswered(t('error.unclear')) : error
      }),
  )
}

/** Runs a mutation, by send, when run is called, and calls done with its result. */
export function useAction<R, V>(
  document: TypedDocumentString<R, V>,
  done?: (result: R) => void,
  send: (document: TypedDocumentString<R, V>, variables: V) => Promise<R> = request,
): Action<V> {
  const [state, setState] = useState<{ busy: boolean; error?: Error }>({ busy: false })
  const run = async (variables: V) => {
    setState({ busy: true })
    try {
      const result = await send(document, variables)
      setState({ busy: false })
      done?.(result)
      return true
    } catch (error) {
      setState({ busy: false, error: error as Error })
      return false
    }
  }
  return { run, ...state, clear: () => setState({ busy: false }) }
}

/** The longest pause before a connection is tried again, in milliseconds. */
const longestPause = 30_000

/** Waits before a connection is tried again: longer each time, and no longer once the person has logged in again. */
const pause = (retries: number) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(end, Math.min(1000 * 2 ** retries, longestPause) * (0.5 + Math.random() / 2))
    const stop = onResumed(end)
  })

const live = createClient({
  url: () => `${location.origin.replace(/^http/, 'ws')}/graphql`,
  retryAttempts: Infinity,
  retryWait: pause, // the client's own pause doubles without end, so that live events would stay away for as long again as the server did
  shouldRetry: () => true,
  jsonMessageReviver: exactly,
})

// The server does not confirm subscriptions; after this time it has certainly registered one.
const registered = 1000

/**
 * Subscribes while the component is mounted, and calls onEvent with each event. onGap is called when events may have been
 * missed: after a reconnect, and once after the subscription started, since it starts after the data was read.
 */
export function useLive<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: V,
  onEvent: (data: R) => void,
  onGap: () => void,
  skip = false,
): void {
  const key = JSON.stringify(variables)
  const latest = useRef(onEvent)
  latest.current = onEvent
  const gap = useRef(onGap)
  gap.current = onGap
  const [turn, setTurn] = useState(0)
  useEffect(() => onResumed(() => setTurn((n) => n + 1)), []) // the server ended what it was sending
  useEffect(() => live.on('connected', (_socket, _payload, retry) => retry && gap.current()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: turn grows when the person has logged in again.
  useEffect(() => {
    if (skip) return
    const late = setTimeout(() => gap.current(), registered)
    const end = live.subscribe<R>(
      { query: document.toString(), variables: readJSON(key) as V },
      { next: (event) => event.data && latest.current(event.data), error: () => {}, complete: () => {} },
    )
    return () => {
      clearTimeout(late)
      end()
    }
  }, [document, key, skip, turn])
}
