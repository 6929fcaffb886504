import { useState } from 'react'
import { useQuery } from '../api'
import { NumberField, Select, Text } from '../form'
import { type CustomControlsInput, type HttpMethod, PayloadSchemaDocument, type TriggerControlsInput } from '../gql'
import { IdentifierField } from '../identifier-field'
import { useSettled } from '../settled'
import { t } from '../text/text'
import { formatHeaders, parseHeaders } from './steps'
import { Template, TemplateJSON, TemplateLine } from './template'

/** Which workflow a step starts. */
export function Trigger({ of, onChange }: { of: TriggerControlsInput; onChange: (c: TriggerControlsInput) => void }) {
  const reference = useSettled(of.workflow)
  const { data } = useQuery(PayloadSchemaDocument, { reference }, reference === '')
  return (
    <>
      <IdentifierField
        of="workflow"
        label={t('calls.workflowToTrigger')}
        at="trigger.workflow"
        value={of.workflow}
        onChange={(workflow) => onChange({ ...of, workflow })}
      />
      <TemplateJSON
        label={t('common.payload')}
        at="trigger.payload"
        value={of.payload}
        onChange={(payload) => onChange({ ...of, payload })}
        hint={t('calls.liquidIsRenderedInAll')}
        schema={data?.workflowByReference.published?.definition.payloadSchema ?? undefined}
      />
    </>
  )
}

const methods: HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Which address a step calls. */
export function Custom({ of, onChange }: { of: CustomControlsInput; onChange: (c: CustomControlsInput) => void }) {
  const set = (change: Partial<CustomControlsInput>) => onChange({ ...of, ...change })
  return (
    <>
      <TemplateLine label={t('common.address')} at="custom.url" value={of.url} onChange={(url) => set({ url })} />
      <div className="filters">
        <Select
          label={t('calls.method')}
          value={of.method ?? 'POST'}
          onChange={(v) => set({ method: v as HttpMethod })}
          options={methods.map((m) => ({ value: m, label: m }))}
        />
        <NumberField
          label={t('calls.timeoutSeconds')}
          at="custom.timeoutSeconds"
          value={of.timeoutSeconds}
          onChange={(timeoutSeconds) => set({ timeoutSeconds })}
        />
      </div>
      <Headers of={(of.headers ?? {}) as Record<string, string>} onChange={(headers) => set({ headers })} />
      <Template
        label={t('common.body')}
        at="custom.body"
        lines={5}
        value={of.body ?? ''}
        onChange={(body) => set({ body })}
        hint={t('calls.liquidIfEmptyTheData')}
      />
    </>
  )
}

/** One header per line. */
function Headers({ of, onChange }: { of: Record<string, string>; onChange: (h: Record<string, string>) => void }) {
  const [text, setText] = useState(() => formatHeaders(of))
  const type = (text: string) => {
    setText(text)
    onChange(parseHeaders(text))
  }
  return (
    <Text
      label={t('calls.headers')}
      at="custom.headers"
      lines={2}
      value={text}
      onChange={type}
      placeholder="Authorization: Bearer …"
      hint={t('calls.onePerLineLiquidIs')}
    />
  )
}
