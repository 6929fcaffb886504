import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../button'
import { Changeable, Check, Select, Text } from '../form'
import { t } from '../text/text'
import { JSONField } from './json'
import {
  addField,
  isSimple,
  type Kind,
  kinds,
  type Property,
  removeField,
  type Schema,
  setField,
  setRequired,
} from './payload-schema'

type Props = { schema: unknown; validate: boolean; onChange: (schema: unknown, validate: boolean) => void }

/** What the payload of a trigger holds: field by field, or as the JSON Schema that it is. */
export function PayloadSchema({ schema, validate, onChange }: Props) {
  const [asJSON, setAsJSON] = useState(schema != null && !isSimple(schema))
  const fields: Schema = isSimple(schema) ? schema : { type: 'object', properties: {} }
  const toForm = schema == null || isSimple(schema)
  return (
    <>
      <Changeable>
        {asJSON ? (
          <JSONField
            label={t('schema.jSONSchema')}
            at="definition.payloadSchema"
            lines={12}
            value={schema}
            schema="schema"
            onChange={(s) => onChange(s, validate && s != null)}
          />
        ) : (
          <Fields of={fields} onChange={(s) => onChange(Object.keys(s.properties).length ? s : undefined, validate)} />
        )}
        <Check
          label={t('schema.rejectTriggersWithAnInvalid')}
          at="definition.validatePayload"
          value={validate}
          onChange={(v) => onChange(schema, v)}
        />
      </Changeable>
      <div className="row">
        <Button disabled={asJSON && !toForm} onClick={() => setAsJSON(!asJSON)}>
          {asJSON ? t('schema.showAsAForm') : t('schema.showAsJSONSchema')}
        </Button>
      </div>
      {asJSON && !toForm && <p className="soft small">{t('schema.thisSchemaUsesFeaturesThat')}</p>}
    </>
  )
}

function Fields({ of, onChange }: { of: Schema; onChange: (s: Schema) => void }) {
  const rows = Object.entries(of.properties ?? {})
  const required = of.required ?? []
  const set = (at: number, name: string, p: Property) => {
    const changed = setField(of, at, name, p)
    if (changed) onChange(changed)
  }
  return (
    <>
      {rows.length === 0 && <p className="soft small">{t('schema.noFieldsAnyPayloadIs')}</p>}
      {rows.map(([name, p], i) => (
        <div className="filters" key={i} role="group" aria-label={t('schema.fieldN', { n: i + 1 })}>
          <Text label={t('schema.payloadFieldN', { n: i + 1 })} value={name} onChange={(name) => set(i, name, p)} />
          <Select
            label={t('schema.typeN', { n: i + 1 })}
            value={p.type}
            onChange={(type) => set(i, name, { ...p, type: type as Kind, default: undefined })}
            options={kinds.map((value) => ({ value, label: t(`schema.kind.${value}`) }))}
          />
          <Text
            label={t('schema.descriptionN', { n: i + 1 })}
            value={p.description ?? ''}
            onChange={(description) => set(i, name, { ...p, description: description || undefined })}
          />
          <Check
            label={t('schema.requiredN', { n: i + 1 })}
            value={required.includes(name)}
            onChange={(on) => onChange(setRequired(of, name, on))}
          />
          <Button
            icon={Trash2}
            aria-label={t('schema.removePayloadFieldN', { n: i + 1 })}
            onClick={() => onChange(removeField(of, i))}
          >
            {t('common.remove')}
          </Button>
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={() => onChange(addField(of))}>
          {t('schema.addPayloadField')}
        </Button>
      </div>
    </>
  )
}
