import { isExact } from '../exact'
import type { FilterOn } from '../gql'
import { profileFields } from '../profile'

/** The fields that may be named at each place, to complete what is typed. */
export type Fields = Partial<Record<FilterOn, readonly string[]>>

/** The fields of every subscriber, as conditions name them. */
export const subscriberFields: readonly string[] = ['subscriberId', ...profileFields]

/** So many paths are offered, so many levels deep. */
const most = 200
const levels = 5

/** The paths of all properties of a JSON Schema. */
export function schemaPaths(schema: unknown, depth = levels): string[] {
  if (depth === 0 || !isRecord(schema) || !isRecord(schema.properties)) return []
  return Object.entries(schema.properties)
    .flatMap(([name, of]) => [name, ...schemaPaths(of, depth - 1).map((path) => `${name}.${path}`)])
    .slice(0, most)
}

/** The paths of all members of JSON objects, each once; lists are not entered. */
export function dataPaths(all: readonly unknown[]): string[] {
  const found = new Set<string>()
  const walk = (value: unknown, path: string, depth: number) => {
    if (depth === 0 || !isRecord(value)) return
    for (const [name, member] of Object.entries(value)) {
      if (found.size >= most) return
      found.add(path + name)
      walk(member, `${path + name}.`, depth - 1)
    }
  }
  for (const value of all) walk(value, '', levels)
  return [...found].sort()
}

const states = ['sent', 'failed', 'skipped', 'seen', 'read', 'unseen', 'unread']

/** What conditions may ask of earlier steps. */
export const stepFields = (steps: readonly { stepId?: string | null }[]) =>
  steps.flatMap(({ stepId }) => (stepId ? states.map((state) => `${stepId}.${state}`) : []))

/** The values that are usual for a field: those of an enumeration, or true and false. */
export function usualValues(schema: unknown, on: FilterOn, field: string): string[] {
  if (on === 'STEP') return states.some((state) => field.endsWith(`.${state}`)) ? ['true', 'false'] : []
  if (on !== 'PAYLOAD') return []
  let at: unknown = schema
  for (const name of field.split('.')) at = isRecord(at) && isRecord(at.properties) ? at.properties[name] : undefined
  if (!isRecord(at)) return []
  if (at.type === 'boolean') return ['true', 'false']
  const values = Array.isArray(at.enum) ? at.enum.slice(0, most) : []
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}

export const isRecord = (v: unknown): v is Record<string, unknown> =>
  typeof v === 'object' && v !== null && !Array.isArray(v) && !isExact(v)
