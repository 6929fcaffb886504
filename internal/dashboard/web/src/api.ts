import { createClient } from 'graphql-ws'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { TypedDocumentString } from './gql'

/** What the server answered instead of data. */
export class APIError extends Error {
  constructor(
    message: string,
    readonly code = '',
  ) {
    super(message)
  }
}

type Failure = { message: string; extensions?: { code?: string } }

const signedOut = new EventTarget()

/** Calls listener when the log-in has ended. */
export function onSignedOut(listener: () => void): () => void {
  signedOut.addEventListener('end', listener)
  return () => signedOut.removeEventListener('end', listener)
}

/** Runs one query or mutation. */
export async function request<R, V>(document: TypedDocumentString<R, V>, variables: V): Promise<R> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: document.toString(), variables }),
  })
  const body = (await response.json().catch(() => null)) as { data?: R; errors?: Failure[] } | null
  const failure = body?.errors?.[0]
  if (response.status === 401) signedOut.dispatchEvent(new Event('end'))
  if (failure) throw new APIError(failure.message, failure.extensions?.code)
  if (!body?.data) throw new APIError(`The server answered with status ${response.status}.`)
  return body.data
}

async function session(method: string, body?: object): Promise<void> {
  const response = await fetch('/dashboard/session', {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  if (response.ok) return
  const answer = (await response.json().catch(() => null)) as { message?: string } | null
  throw new APIError(answer?.message ?? `The server answered with status ${response.status}.`)
}

/** Whether somebody is logged in. */
export async function loggedIn(): Promise<boolean> {
  const answer = (await (await fetch('/dashboard/session')).json()) as { active: boolean }
  return answer.active
}

/** Whether people may also log in by OpenID Connect. */
export async function offersOIDC(): Promise<boolean> {
  const answer = (await (await fetch('/dashboard/session')).json()) as { oidc: boolean }
  return answer.oidc
}

export const logIn = (email: string, password: string) => session('POST', { email, password })
export const switchEnvironment = (environmentId: string) => session('PUT', { environmentId })
export const logOut = () => session('DELETE')

export type Loaded<R> = { data?: R; error?: Error; loading: boolean; reload: () => void }

/** Reads while the component is shown, anew whenever the variables change. Older data stays until newer comes. */
export function useQuery<R, V>(document: TypedDocumentString<R, V>, variables: V, skip = false): Loaded<R> {
  const key = JSON.stringify(variables)
  const [state, setState] = useState<{ data?: R; error?: Error; loading: boolean }>({ loading: !skip })
  const [turn, setTurn] = useState(0)
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
  url: () => location.origin.replace(/^http/, 'ws') + '/graphql',
  retryAttempts: Infinity,
  shouldRetry: () => true,
})

/** Hears of what happens while the component is shown. */
export function useLive<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: V,
  hear: (data: R) => void,
  skip = false,
): void {
  const key = JSON.stringify(variables)
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    if (skip) return
    return live.subscribe<R>(
      { query: document.toString(), variables: JSON.parse(key) as V },
      { next: (event) => event.data && latest.current(event.data), error: () => {}, complete: () => {} },
    )
  }, [document, key, skip])
}
