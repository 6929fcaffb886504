import { include, removeAt, replaceAt } from '../lists'

export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
export type Property = { type: Kind; description?: string; default?: unknown }
export type Schema = { type: 'object'; properties: Record<string, Property>; required?: string[] }

/** The types of the form's fields. */
export const kinds: readonly Kind[] = ['string', 'number', 'integer', 'boolean', 'object', 'array']

/** Reports whether a schema uses nothing but what the form has fields for. */
export function isSimple(schema: unknown): schema is Schema {
  if (!hasOnly(schema, 'type', 'properties', 'required')) return false
  const { type, properties = {}, required = [] } = schema as Partial<Schema>
  return (
    type === 'object' &&
    hasOnly(properties, ...Object.keys(properties)) &&
    Array.isArray(required) &&
    Object.values(properties).every(
      (p) => hasOnly(p, 'type', 'description', 'default') && kinds.includes(p.type as Kind),
    )
  )
}

const hasOnly = (value: unknown, ...names: string[]) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).every((name) => names.includes(name))

const build = (rows: [string, Property][], required: string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(rows),
  ...(required.length > 0 && { required }),
})

const rowsOf = (schema: Schema) => Object.entries(schema.properties ?? {})

/** A schema with another text field under a name that is not taken. */
export function addField(schema: Schema): Schema {
  let name = 'field'
  for (let n = 2; schema.properties?.[name]; n++) name = `field${n}`
  return build([...rowsOf(schema), [name, { type: 'string' }]], schema.required ?? [])
}

/** A schema with a field renamed and changed; undefined when another field has the name. */
export function setField(schema: Schema, at: number, name: string, property: Property): Schema | undefined {
  const rows = rowsOf(schema)
  const old = rows[at]?.[0]
  if (name !== old && schema.properties[name]) return undefined
  return build(
    replaceAt(rows, at, [name, property] as [string, Property]),
    (schema.required ?? []).map((r) => (r === old ? name : r)),
  )
}

/** A schema without a field. */
export function removeField(schema: Schema, at: number): Schema {
  const rows = rowsOf(schema)
  return build(
    removeAt(rows, at),
    (schema.required ?? []).filter((r) => r !== rows[at]?.[0]),
  )
}

/** A schema in which a field is required, or not. */
export const setRequired = (schema: Schema, name: string, on: boolean): Schema =>
  build(rowsOf(schema), include(schema.required ?? [], name, on))
