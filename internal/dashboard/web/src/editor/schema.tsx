import { useState } from 'react'
import { Card, Changeable, Check, Select, Text } from '../ui'
import { JSONField } from './json'

type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
type Property = { type: Kind; description?: string; default?: unknown }
type Schema = { type: 'object'; properties: Record<string, Property>; required?: string[] }

const kinds: { value: Kind; label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'integer', label: 'Whole number' },
  { value: 'boolean', label: 'True or false' },
  { value: 'object', label: 'Object' },
  { value: 'array', label: 'List' },
]

/** Whether a schema says nothing but what the form has fields for. */
function simple(schema: unknown): schema is Schema {
  const only = (value: unknown, ...names: string[]) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every((name) => names.includes(name))
  if (!only(schema, 'type', 'properties', 'required')) return false
  const { type, properties, required = [] } = schema as Partial<Schema>
  return (
    type === 'object' &&
    only(properties ?? {}, ...Object.keys(properties ?? {})) &&
    Array.isArray(required) &&
    Object.values(properties ?? {}).every(
      (p) => only(p, 'type', 'description', 'default') && kinds.some((k) => k.value === p.type),
    )
  )
}

type Props = { schema: unknown; validate: boolean; onChange: (schema: unknown, validate: boolean) => void }

/** What the payload of a trigger holds: field by field, or as the JSON Schema that it is. */
export function PayloadSchema({ schema, validate, onChange }: Props) {
  const [asJSON, setAsJSON] = useState(schema != null && !simple(schema))
  const fields: Schema = simple(schema) ? schema : { type: 'object', properties: {} }
  const toForm = schema == null || simple(schema)
  return (
    <Card title="Payload">
      <Changeable>
        {asJSON ? (
          <JSONField
            label="JSON Schema"
            at="definition.payloadSchema"
            lines={12}
            value={schema}
            onChange={(s) => onChange(s, validate && s != null)}
          />
        ) : (
          <Fields of={fields} onChange={(s) => onChange(Object.keys(s.properties).length ? s : undefined, validate)} />
        )}
        <Check
          label="Refuse triggers whose payload violates it"
          at="definition.validatePayload"
          value={validate}
          onChange={(v) => onChange(schema, v)}
        />
      </Changeable>
      <div className="row">
        <button type="button" disabled={asJSON && !toForm} onClick={() => setAsJSON(!asJSON)}>
          {asJSON ? 'Show as a form' : 'Show as JSON Schema'}
        </button>
      </div>
      {asJSON && !toForm && <p className="soft small">It says more than the form has fields for.</p>}
    </Card>
  )
}

function Fields({ of, onChange }: { of: Schema; onChange: (s: Schema) => void }) {
  const rows = Object.entries(of.properties ?? {})
  const required = of.required ?? []
  const put = (rows: [string, Property][], required: string[]) =>
    onChange({ type: 'object', properties: Object.fromEntries(rows), ...(required.length && { required }) })
  const set = (at: number, name: string, p: Property) => {
    const [old] = rows[at]!
    if (name !== old && of.properties[name]) return // two fields cannot share a name
    put(
      rows.map((row, i) => (i === at ? [name, p] : row)),
      required.map((r) => (r === old ? name : r)),
    )
  }
  const add = () => {
    let name = 'field'
    for (let n = 2; of.properties?.[name]; n++) name = `field${n}`
    put([...rows, [name, { type: 'string' }]], required)
  }
  return (
    <>
      {rows.length === 0 && <p className="soft small">Nothing is known of it: any payload is taken.</p>}
      {rows.map(([name, p], i) => (
        <div className="filters" key={i} role="group" aria-label={`Field ${i + 1}`}>
          <Text label={`Payload field ${i + 1}`} value={name} onChange={(name) => set(i, name, p)} />
          <Select
            label={`Type ${i + 1}`}
            value={p.type}
            onChange={(type) => set(i, name, { ...p, type: type as Kind, default: undefined })}
            options={kinds}
          />
          <Text
            label={`Meaning ${i + 1}`}
            value={p.description ?? ''}
            onChange={(description) => set(i, name, { ...p, description: description || undefined })}
          />
          <Check
            label={`Required ${i + 1}`}
            value={required.includes(name)}
            onChange={(on) => put(rows, on ? [...required, name] : required.filter((r) => r !== name))}
          />
          <button
            type="button"
            aria-label={`Remove payload field ${i + 1}`}
            onClick={() =>
              put(
                rows.filter((_, k) => k !== i),
                required.filter((r) => r !== name),
              )
            }
          >
            Remove
          </button>
        </div>
      ))}
      <div>
        <button type="button" onClick={add}>
          Add a payload field
        </button>
      </div>
    </>
  )
}
