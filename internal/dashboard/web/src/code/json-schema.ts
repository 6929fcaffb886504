import { isRecord } from '../conditions/fields'

/** A JSON Schema, of which the editor reads the keywords that name members and values. */
export type Schema = Record<string, unknown>

/** A step from a value down to one of its parts: the name of a member, or the place in a list. */
export type Step = string | number

const depth = 16

/** How many schemas are looked at for one text: references that lead in circles could branch without an end. */
const most = 20_000

/**
 * The plain schemas that a value may meet: references within the document are followed, alternatives are beside each other. What
 * leads elsewhere or in circles is left out.
 */
export function alternatives(schema: unknown, root: unknown, seen = new Set<unknown>()): Schema[] {
  if (!isRecord(schema) || seen.has(schema)) return []
  seen.add(schema)
  const further = (part: unknown) => alternatives(part, root, seen)
  const found: Schema[] = typeof schema.$ref === 'string' ? further(follow(root, schema.$ref)) : []
  for (const word of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(schema[word])) found.push(...schema[word].flatMap(further))
  return [schema, ...found]
}

/** What a reference such as #/$defs/address leads to. */
export function follow(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = unescaped(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = isRecord(at) ? at[name] : Array.isArray(at) ? at[Number(name)] : undefined
  }
  return at
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The schemas of a part of a value, which others have. */
export function below(of: readonly Schema[], step: Step, root: unknown): Schema[] {
  const seen = new Set<unknown>()
  return of.flatMap((schema) => {
    if (typeof step === 'string') {
      const named = isRecord(schema.properties) ? schema.properties[step] : undefined
      return alternatives(named ?? schema.additionalProperties, root, seen)
    }
    const one = Array.isArray(schema.prefixItems) ? schema.prefixItems[step] : undefined
    return alternatives(one ?? schema.items, root, seen)
  })
}

/** The schemas of what lies at a path. */
export const schemasAt = (schema: unknown, path: readonly Step[]): Schema[] =>
  path.reduce<Schema[]>((of, step) => below(of, step, schema), alternatives(schema, schema))

/** A member that schemas name. */
export type Named = { name: string; schemas: Schema[]; required: boolean }

/** The members that schemas name, each once. */
export function membersOf(of: readonly Schema[], root: unknown): Named[] {
  const found = new Map<string, Named>()
  for (const schema of of) {
    const required = Array.isArray(schema.required) ? schema.required : []
    for (const [name, member] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
      const known = found.get(name) ?? { name, schemas: [], required: false }
      known.schemas.push(...alternatives(member, root))
      known.required ||= required.includes(name)
      found.set(name, known)
    }
  }
  return [...found.values()]
}

/** The types that schemas allow. */
export const typesOf = (of: readonly Schema[]): string[] => [
  ...new Set(of.flatMap(({ type }) => (Array.isArray(type) ? type : [type]).filter((t) => typeof t === 'string'))),
]

/** The values that schemas name: those of enumerations, both of a boolean, a default and examples. */
export function valuesOf(of: readonly Schema[]): unknown[] {
  const found: unknown[] = []
  for (const schema of of) {
    if (Array.isArray(schema.enum)) found.push(...schema.enum)
    if ('const' in schema) found.push(schema.const)
    if ('default' in schema) found.push(schema.default)
    if (Array.isArray(schema.examples)) found.push(...schema.examples)
  }
  const types = typesOf(of)
  if (types.includes('boolean')) found.push(true, false)
  if (types.includes('null')) found.push(null)
  const seen = new Set<string>()
  return found.filter((value) => {
    const text = JSON.stringify(value)
    return !seen.has(text) && seen.add(text)
  })
}

/** A value that does not meet its schema. Values of enumerations are written as JSON. */
export type Fault =
  | { path: Step[]; kind: 'type'; types: string[] }
  | { path: Step[]; kind: 'value'; values: string[] }
  | { path: Step[]; kind: 'missing' | 'unknown'; name: string }

/**
 * What a value lacks of its schema: types, enumerations, required members and members that are not allowed. Bounds and patterns are
 * left to the server, which checks all.
 */
export function faultsOf(
  value: unknown,
  schema: unknown,
  root: unknown = schema,
  path: Step[] = [],
  left = depth,
  looked = { at: 0 },
): Fault[] {
  if (!isRecord(schema) || left === 0 || looked.at++ > most) return []
  const check = (part: unknown, at = path, of = value) => faultsOf(of, part, root, at, left - 1, looked)
  const found: Fault[] = typeof schema.$ref === 'string' ? check(follow(root, schema.$ref)) : []
  if (Array.isArray(schema.allOf)) found.push(...schema.allOf.flatMap((part) => check(part)))
  for (const word of ['anyOf', 'oneOf']) {
    const all = schema[word]
    if (Array.isArray(all) && all.length > 0)
      found.push(
        ...closest(
          all.map((part) => check(part)),
          path,
        ),
      )
  }
  found.push(...ownFaults(value, schema, path))
  if (Array.isArray(value)) {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
    value.forEach((item, i) => {
      found.push(...check(first[i] ?? schema.items, [...path, i], item))
    })
  }
  if (isRecord(value)) found.push(...memberFaults(value, schema, path, check))
  return found
}

/** The faults of the alternative that a value is closest to: of its type, then with the fewest faults. */
function closest(all: readonly Fault[][], path: readonly Step[]): Fault[] {
  const distance = (faults: Fault[]) =>
    faults.length + (faults.some((f) => f.kind === 'type' && f.path.length === path.length) ? 1000 : 0)
  return all.reduce((a, b) => (distance(b) < distance(a) ? b : a))
}

function ownFaults(value: unknown, schema: Schema, path: Step[]): Fault[] {
  const types = typesOf([schema])
  if (types.length > 0 && !types.some((type) => isOf(type, value))) return [{ path, kind: 'type', types }]
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  const texts = values?.map((v) => JSON.stringify(v))
  return texts && !texts.includes(JSON.stringify(value)) ? [{ path, kind: 'value', values: texts }] : []
}

function memberFaults(
  value: Record<string, unknown>,
  schema: Schema,
  path: Step[],
  check: (part: unknown, at: Step[], of: unknown) => Fault[],
): Fault[] {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required.filter((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  const found: Fault[] = missing.map((name) => ({ path, kind: 'missing', name }))
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) found.push(...check(properties[name], [...path, name], member))
    else if (schema.patternProperties === undefined && schema.additionalProperties === false)
      found.push({ path: [...path, name], kind: 'unknown', name })
    else if (schema.patternProperties === undefined)
      found.push(...check(schema.additionalProperties, [...path, name], member))
  }
  return found
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isRecord(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
  }
  return true
}
