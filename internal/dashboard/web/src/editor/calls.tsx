import { useState } from 'react'
import type { CustomControlsInput, HttpMethod, TriggerControlsInput } from '../gql'
import { NumberField, Select, Text } from '../ui'
import { JSONField } from './json'

/** Which workflow a step starts. */
export function Trigger({ of, onChange }: { of: TriggerControlsInput; onChange: (c: TriggerControlsInput) => void }) {
  return (
    <>
      <Text
        label="Workflow to start"
        at="trigger.workflow"
        value={of.workflow}
        onChange={(workflow) => onChange({ ...of, workflow })}
      />
      <JSONField
        label="Payload"
        at="trigger.payload"
        value={of.payload}
        onChange={(payload) => onChange({ ...of, payload })}
        hint="Texts inside are Liquid."
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
          label="Seconds to wait for the answer"
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
        hint="Liquid; the data of the run as JSON when left empty."
      />
    </>
  )
}

/** One header per line. */
function Headers({ of, onChange }: { of: Record<string, string>; onChange: (h: Record<string, string>) => void }) {
  const [text, setText] = useState(() =>
    Object.entries(of)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  )
  const type = (text: string) => {
    setText(text)
    const lines = text
      .split('\n')
      .map((line) => line.split(/:(.*)/s, 2))
      .filter(([name]) => name?.trim())
    onChange(Object.fromEntries(lines.map(([name, value]) => [name!.trim(), (value ?? '').trim()])))
  }
  return (
    <Text
      label="Headers"
      at="custom.headers"
      lines={2}
      value={text}
      onChange={type}
      placeholder="Authorization: Bearer …"
      hint="One in each line; values are Liquid."
    />
  )
}
