import { useState } from 'react'
import { useQuery } from '../api'
import { Button } from '../button'
import { isRecord } from '../conditions/fields'
import { JSONField } from '../editor/json'
import { NumberField, Select, Text } from '../form'
import { PayloadSchemaDocument } from '../gql'
import { useSettled } from '../settled'
import { t } from '../text/text'
import { JSONView } from '../ui'
import { inputFor, type Member, membersOf, others, setMember, setOthers } from './members'

/**
 * The payload of a trigger: a field for each member that the workflow's schema names, else JSON beside the schema. What the
 * fields cannot show stays as it is.
 */
export function Payload({
  workflow,
  payload,
  onChange,
  at = 'payload',
}: {
  workflow: string
  payload: unknown
  onChange: (payload: unknown) => void
  at?: string
}) {
  const reference = useSettled(workflow)
  const { data } = useQuery(PayloadSchemaDocument, { reference }, reference === '')
  const [asJSON, setAsJSON] = useState(false)
  const schema = reference === '' ? undefined : data?.workflowByReference.published?.definition.payloadSchema
  const members = membersOf(schema)
  const given = payload ?? {}
  const form = members !== undefined && isRecord(given)
  if (!form || asJSON)
    return (
      <>
        <JSONField
          label={t('common.payload')}
          at={at}
          value={given}
          onChange={(v) => onChange(v ?? {})}
          lines={6}
          schema={schema ?? undefined}
        />
        {schema != null && (
          <details>
            <summary>{t('payload.schema')}</summary>
            <JSONView value={schema} label={t('payload.schema')} />
          </details>
        )}
        {form && <Toggle onClick={() => setAsJSON(false)}>{t('payload.asFields')}</Toggle>}
      </>
    )
  const rest = others(given, members)
  return (
    <fieldset>
      <legend>{t('common.payload')}</legend>
      {members.map((m) => (
        <MemberField
          key={m.name}
          of={m}
          at={`${at}.${m.name}`}
          value={given[m.name]}
          onChange={(value) => onChange(setMember(given, m.name, value))}
        />
      ))}
      {rest && (
        <JSONField
          label={t('payload.others')}
          at={at}
          value={rest}
          onChange={(v) => onChange(setOthers(given, members, v))}
        />
      )}
      <Toggle onClick={() => setAsJSON(true)}>{t('payload.asJSON')}</Toggle>
    </fieldset>
  )
}

const Toggle = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <div>
    <Button onClick={onClick}>{children}</Button>
  </div>
)

function MemberField({
  of,
  at,
  value,
  onChange,
}: {
  of: Member
  at: string
  value: unknown
  onChange: (value: unknown) => void
}) {
  const [input, setInput] = useState(() => inputFor(of, value))
  // A value that comes from elsewhere, such as JSON, may not fit the field.
  const fitting = inputFor(of, value)
  if (fitting === 'json' && input !== 'json') setInput('json')
  const common = { label: of.name, at, hint: of.description }
  const hint = [of.description, of.example && t('payload.example', { value: of.example })].filter(Boolean).join(' ')
  switch (input) {
    case 'text':
      return (
        <Text
          {...common}
          value={String(value ?? '')}
          onChange={(text) => onChange(text === '' ? undefined : text)}
          placeholder={of.example}
          required={of.required}
        />
      )
    case 'number':
      return (
        <NumberField
          {...common}
          hint={hint || undefined}
          value={value as number | undefined}
          onChange={onChange}
          required={of.required}
        />
      )
    case 'boolean':
      return (
        <Select
          {...common}
          value={value === undefined ? '' : String(value)}
          onChange={(v) => onChange(v === '' ? undefined : v === 'true')}
          options={[
            { value: '', label: t('payload.unset') },
            { value: 'true', label: t('payload.true') },
            { value: 'false', label: t('payload.false') },
          ]}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          value={String(value ?? '')}
          onChange={(v) => onChange(v || undefined)}
          options={[{ value: '', label: t('payload.unset') }, ...of.choices.map((c) => ({ value: c, label: c }))]}
        />
      )
    default:
      return <JSONField {...common} value={value} onChange={onChange} lines={3} />
  }
}
