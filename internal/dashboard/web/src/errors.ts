import { readJSON } from './exact'
import { t } from './text/text'

/** A field that is wrong, by its path within the input, such as definition.steps.0.email.subject. */
export type FieldError = { path: string; message: string }

/** An error that the server answered instead of data. */
export class APIError extends Error {
  constructor(
    message: string,
    readonly code = '',
    readonly fields: readonly FieldError[] = [],
  ) {
    super(message)
  }
}

/** A request had no answer, or none of this server: what became of it is not known. */
export class Unanswered extends APIError {}

type Failure = { message: string; extensions?: { code?: string; fields?: FieldError[] } }

/** The error of a GraphQL answer. Paths lose the name of the argument: forms know only what is below it. */
export function toAPIError({ message, extensions }: Failure): APIError {
  const fields = extensions?.fields ?? []
  return new APIError(
    message,
    extensions?.code,
    fields.map((f) => ({ ...f, path: f.path.replace(/^input\./, '') })),
  )
}

/** Joins two parts of a path. */
export const joinPath = (path: string, name: string) => (path ? `${path}.${name}` : name)

/** The messages for the field at a path and for everything below it; '' when there are none. */
export function messagesAt(fields: readonly FieldError[], path: string): string {
  return fields
    .filter((f) => f.path === path || f.path.startsWith(`${path}.`))
    .map((f) => f.message)
    .join('; ')
}

/** The errors of each step of a workflow, by the step's position; paths begin within the step. */
export function errorsByStep(error?: Error): ReadonlyMap<number, readonly FieldError[]> {
  const all = new Map<number, FieldError[]>()
  for (const f of error instanceof APIError ? error.fields : []) {
    const [, step, path = ''] = /^definition\.steps\.(\d+)\.?(.*)$/.exec(f.path) ?? []
    if (step !== undefined) all.set(Number(step), [...(all.get(Number(step)) ?? []), { ...f, path }])
  }
  return all
}

/** The variant that the first error of a step lies in; -1 is the step's own content. */
export function variantWithError([first]: readonly FieldError[]): number {
  return Number(/^variants\.(\d+)/.exec(first?.path ?? '')?.[1] ?? -1)
}

/** Parses typed JSON; null for an empty text. Throws an APIError that names the field and, if given, its path. */
export function parseJSON(text: string, field: string, at?: string): unknown {
  if (text.trim() === '') return null
  try {
    return readJSON(text)
  } catch (error) {
    const message = t('error.notJSON', { field, error: (error as Error).message })
    throw new APIError(message, '', at ? [{ path: at, message }] : [])
  }
}

/** Parses typed JSON; undefined for what is none. */
export function tryJSON(text: string): unknown {
  try {
    return readJSON(text)
  } catch {
    return undefined
  }
}
