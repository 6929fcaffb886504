import { createClient } from 'graphql-ws'
import { useCallback, useEffect, useRef, useState } from 'react'
import { APIError, toAPIError } from './errors'
import type { TypedDocumentString } from './gql'

/** What the server answers, whatever it is; a failure that people understand when there is no answer. */
async function reach(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch {
    throw new APIError('The server cannot be reached. Check the connection and try again.')
  }
}

const unexpected = (status: number) => new APIError(`The server answered with status ${status}. Try again in a moment.`)

const logIns = new EventTarget()

/** Calls listener when the log-in has ended. */
export function onSignedOut(listener: () => void): () => void {
  logIns.addEventListener('end', listener)
  return () => logIns.removeEventListener('end', listener)
}

/** Calls listener when the person has to set up a second factor first. */
export function onEnrolment(listener: () => void): () => void {
  logIns.addEventListener('enrol', listener)
  return () => logIns.removeEventListener('enrol', listener)
}

/** Runs one query or mutation. */
export async function request<R, V>(document: TypedDocumentString<R, V>, variables: V): Promise<R> {
  const response = await reach('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: document.toString(), variables }),
  })
  const body = (await response.json().catch(() => null)) as {
    data?: R
    errors?: Parameters<typeof toAPIError>[0][]
  } | null
  const failure = body?.errors?.[0]
  if (response.status === 401) logIns.dispatchEvent(new Event('end'))
  if (failure) {
    if (failure.extensions?.code === 'SECOND_FACTOR_MISSING') logIns.dispatchEvent(new Event('enrol'))
    throw toAPIError(failure)
  }
  if (!body?.data) throw unexpected(response.status)
  return body.data
}

async function session(method: string, body?: object): Promise<void> {
  const response = await reach('/dashboard/session', {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  if (response.ok) return
  const answer = (await response.json().catch(() => null)) as { message?: string; code?: string } | null
  throw answer?.message ? new APIError(answer.message, answer.code) : unexpected(response.status)
}

/** Whether a person is logged in, whether people may also log in by OpenID Connect or get a new password by mail, whether the person must set up a second factor first, and why a log-in was refused just now. */
export type Session = { active: boolean; oidc: boolean; mail: boolean; enrol: boolean; refused?: string }

/** How the log-in stands. */
export async function sessionState(): Promise<Session> {
  const response = await reach('/dashboard/session')
  if (!response.ok) throw unexpected(response.status)
  return (await response.json()) as Session
}

export const logIn = (email: string, password: string, code = '') => session('POST', { email, password, code })
export const logOut = () => session('DELETE')

const tabs = new BroadcastChannel('carillon')
// The log-in, and with it the environment, is that of all tabs: none goes on showing one while it changes another.
tabs.onmessage = () => location.reload()

/** Moves all tabs of this browser to another environment. */
export async function switchEnvironment(environmentId: string): Promise<void> {
  await session('PUT', { environmentId })
  tabs.postMessage('moved')
}

export type Loaded<R> = { data?: R; error?: Error; loading: boolean; reload: () => void }

/** Reads while the component is shown, anew whenever the variables change. Older data stays until newer comes. */
export function useQuery<R, V>(document: TypedDocumentString<R, V>, variables: V, skip = false): Loaded<R> {
  const key = JSON.stringify(variables)
  const [state, setState] = useState<{ data?: R; error?: Error; loading: boolean }>({ loading: !skip })
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: turn grows on reload.
  useEffect(() => {
    if (skip) return
    let wanted = true
    setState((s) => ({ ...s, loading: true }))
    request(document, JSON.parse(key) as V).then(
      (data) => wanted && setState({ data, loading: false }),
      (error: Error) => wanted && setState((s) => ({ data: s.data, error, loading: false })),
    )
    return () => {
      wanted = false
    }
  }, [document, key, turn, skip])
  return { ...state, reload: useCallback(() => setTurn((n) => n + 1), []) }
}

export type Action<V> = { run: (variables: V) => Promise<boolean>; busy: boolean; error?: Error; clear: () => void }

/** Changes something when run is called, and then tells done. */
export function useAction<R, V>(document: TypedDocumentString<R, V>, done?: (result: R) => void): Action<V> {
  const [state, setState] = useState<{ busy: boolean; error?: Error }>({ busy: false })
  const run = async (variables: V) => {
    setState({ busy: true })
    try {
      const result = await request(document, variables)
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

const live = createClient({
  url: () => `${location.origin.replace(/^http/, 'ws')}/graphql`,
  retryAttempts: Infinity,
  shouldRetry: () => true,
})

// How long after it was asked the server certainly listens; it does not say when it begins to.
const listening = 1000

/** Hears of what happens while the component is shown. again is called when something may have happened unheard: the connection was lost and is back, or the hearing began after the reading. */
export function useLive<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: V,
  hear: (data: R) => void,
  again: () => void,
  skip = false,
): void {
  const key = JSON.stringify(variables)
  const latest = useRef(hear)
  latest.current = hear
  const unheard = useRef(again)
  unheard.current = again
  useEffect(() => live.on('connected', (_socket, _payload, retry) => retry && unheard.current()), [])
  useEffect(() => {
    if (skip) return
    const late = setTimeout(() => unheard.current(), listening)
    const end = live.subscribe<R>(
      { query: document.toString(), variables: JSON.parse(key) as V },
      { next: (event) => event.data && latest.current(event.data), error: () => {}, complete: () => {} },
    )
    return () => {
      clearTimeout(late)
      end()
    }
  }, [document, key, skip])
}
