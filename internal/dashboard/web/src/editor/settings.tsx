import { useState } from 'react'
import { Changeable, Check, Select, Text } from '../form'
import type { Severity, VersionPolicy, WorkflowDefinitionInput } from '../gql'
import { channelFields } from './definition'
import { Filters } from './filters'
import { JSONField } from './json'
import { parseTags } from './steps'

type About = { name: string; description: string; definition: WorkflowDefinitionInput }

/** What holds for the workflow as a whole. */
export function Settings({ of, onChange }: { of: About; onChange: (change: Partial<About>) => void }) {
  const { definition: d } = of
  const set = (change: Partial<WorkflowDefinitionInput>) => onChange({ definition: { ...d, ...change } })
  const [tags, setTags] = useState(d.tags?.join(', ') ?? '')
  const typeTags = (text: string) => {
    setTags(text)
    set({ tags: parseTags(text) })
  }
  return (
    <Changeable>
      <Text label="Name" at="name" value={of.name} onChange={(name) => onChange({ name })} />
      <Text
        label="Description"
        at="description"
        value={of.description}
        onChange={(description) => onChange({ description })}
      />
      <Text label="Tags" at="definition.tags" hint="Separated by commas." value={tags} onChange={typeTags} />
      <div className="filters">
        <Select
          label="Severity"
          value={d.severity ?? 'NONE'}
          onChange={(v) => set({ severity: v as Severity })}
          options={['NONE', 'LOW', 'MEDIUM', 'HIGH'] satisfies Severity[]}
        />
        <Select
          label="Waiting runs continue with"
          value={d.versioning ?? 'PINNED'}
          onChange={(v) => set({ versioning: v as VersionPolicy })}
          options={[
            { value: 'PINNED', label: 'the version they were triggered with' },
            { value: 'LATEST', label: 'the latest version' },
          ]}
        />
      </div>
      <fieldset>
        <legend>Default channel preferences</legend>
        <div className="row">
          {channelFields.map(([field, name]) => (
            <Check
              key={field}
              label={name}
              value={d.preferences?.[field] ?? true}
              onChange={(on) => set({ preferences: { ...d.preferences, [field]: on } })}
            />
          ))}
        </div>
      </fieldset>
      <Check
        label="Critical: subscribers cannot opt out"
        value={d.critical ?? false}
        onChange={(critical) => set({ critical })}
      />
      <Check
        label="Hold messages outside the subscriber’s schedule"
        value={d.holdUntilOpen ?? false}
        onChange={(holdUntilOpen) => set({ holdUntilOpen })}
      />
      <Check
        label="Finish waiting runs when the workflow is disabled"
        value={d.drain ?? false}
        onChange={(drain) => set({ drain })}
      />
      <Check
        label="Use translations"
        value={d.translations ?? false}
        onChange={(translations) => set({ translations })}
      />
      <Check
        label="Reject unknown variables when publishing"
        at="definition.strictVariables"
        value={d.strictVariables ?? false}
        onChange={(strictVariables) => set({ strictVariables })}
      />
      <JSONField
        label="Data"
        at="definition.data"
        value={d.data}
        onChange={(data) => set({ data })}
        hint="For the application."
      />
    </Changeable>
  )
}

/** The conditions of the workflow as a whole: where they are false, the run ends at once. */
export function WorkflowConditions({
  of,
  onChange,
}: {
  of: WorkflowDefinitionInput
  onChange: (d: WorkflowDefinitionInput) => void
}) {
  return (
    <Changeable>
      <Filters
        label="Conditions of the workflow"
        at="definition.conditions"
        filters={of.conditions ?? []}
        onChange={(conditions) => onChange({ ...of, conditions })}
        none="No conditions: every trigger starts a run."
      />
    </Changeable>
  )
}
