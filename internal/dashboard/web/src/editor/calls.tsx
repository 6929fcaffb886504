import { useState } from 'react'
import { NumberField, Select, Text } from '../form'
import type { CustomControlsInput, HttpMethod, TriggerControlsInput } from '../gql'
import { JSONField } from './json'
import { formatHeaders, parseHeaders } from './steps'

/** Which workflow a step starts. */
export function Trigger({ of, onChange }: { of: TriggerControlsInput; onChange: (c: TriggerControlsInput) => void }) {
  return (
    <>
      <Text
        label="Workflow to trigger"
        at="trigger.workflow"
        value={of.workflow}
        onChange={(workflow) => onChange({ ...of, workflow })}
      />
      <JSONField
        label="Payload"
        at="trigger.payload"
        value={of.payload}
        onChange={(payload) => onChange({ ...of, payload })}
        hint="Liquid is rendered in all texts."
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
      <Text label="Address" at="custom.url" value={of.url} onChange={(url) => set({ url })} />
      <div className="filters">
        <Select
          label="Method"
          value={of.method ?? 'POST'}
          onChange={(v) => set({ method: v as HttpMethod })}
          options={methods.map((m) => ({ value: m, label: m }))}
        />
        <NumberField
          label="Timeout (seconds)"
          at="custom.timeoutSeconds"
          value={of.timeoutSeconds}
          onChange={(timeoutSeconds) => set({ timeoutSeconds })}
        />
      </div>
      <Headers of={(of.headers ?? {}) as Record<string, string>} onChange={(headers) => set({ headers })} />
      <Text
        label="Body"
        at="custom.body"
        lines={5}
        value={of.body ?? ''}
        onChange={(body) => set({ body })}
        hint="Liquid. If empty, the data of the run is sent as JSON."
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
      label="Headers"
      at="custom.headers"
      lines={2}
      value={text}
      onChange={type}
      placeholder="Authorization: Bearer …"
      hint="One per line. Liquid is rendered in values."
    />
  )
}
