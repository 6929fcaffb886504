import { useState } from 'react'
import { Filters } from '../conditions/builder'
import { Changeable, Check, Select, Text } from '../form'
import type { Severity, VersionPolicy, WorkflowDefinitionInput } from '../gql'
import { namesOf } from '../lists'
import { t } from '../text/text'
import { channelFields } from './definition'
import { JSONField } from './json'

type About = { name: string; description: string; definition: WorkflowDefinitionInput }

/** What holds for the workflow as a whole. */
export function Settings({ of, onChange }: { of: About; onChange: (change: Partial<About>) => void }) {
  const { definition: d } = of
  const set = (change: Partial<WorkflowDefinitionInput>) => onChange({ definition: { ...d, ...change } })
  const [tags, setTags] = useState(d.tags?.join(', ') ?? '')
  const typeTags = (text: string) => {
    setTags(text)
    set({ tags: namesOf(text) })
  }
  return (
    <Changeable>
      <Text label={t('common.name')} at="name" value={of.name} onChange={(name) => onChange({ name })} />
      <Text
        label={t('settings.description')}
        at="description"
        value={of.description}
        onChange={(description) => onChange({ description })}
      />
      <Text
        label={t('settings.tags')}
        at="definition.tags"
        hint={t('settings.separatedByCommas')}
        value={tags}
        onChange={typeTags}
      />
      <div className="filters">
        <Select
          label={t('settings.severity')}
          value={d.severity ?? 'NONE'}
          onChange={(v) => set({ severity: v as Severity })}
          options={['NONE', 'LOW', 'MEDIUM', 'HIGH'] satisfies Severity[]}
        />
        <Select
          label={t('settings.waitingRunsContinueWith')}
          value={d.versioning ?? 'PINNED'}
          onChange={(v) => set({ versioning: v as VersionPolicy })}
          options={[
            { value: 'PINNED', label: t('settings.theVersionTheyWereTriggered') },
            { value: 'LATEST', label: t('settings.theLatestVersion') },
          ]}
        />
      </div>
      <fieldset>
        <legend>{t('settings.defaultChannelPreferences')}</legend>
        <div className="row">
          {channelFields().map(([field, name]) => (
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
        label={t('settings.criticalSubscribersCannotOptOut')}
        value={d.critical ?? false}
        onChange={(critical) => set({ critical })}
      />
      <Check
        label={t('settings.holdMessagesOutsideTheSubscriber')}
        value={d.holdUntilOpen ?? false}
        onChange={(holdUntilOpen) => set({ holdUntilOpen })}
      />
      <Check
        label={t('settings.finishWaitingRunsWhenThe')}
        value={d.drain ?? false}
        onChange={(drain) => set({ drain })}
      />
      <Check
        label={t('settings.useTranslations')}
        value={d.translations ?? false}
        onChange={(translations) => set({ translations })}
      />
      <Check
        label={t('settings.rejectUnknownVariablesWhenPublishing')}
        at="definition.strictVariables"
        value={d.strictVariables ?? false}
        onChange={(strictVariables) => set({ strictVariables })}
      />
      <JSONField
        label={t('common.data')}
        at="definition.data"
        value={d.data}
        onChange={(data) => set({ data })}
        hint={t('settings.forTheApplication')}
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
        label={t('settings.conditionsOfTheWorkflow')}
        at="definition.conditions"
        filters={of.conditions ?? []}
        onChange={(conditions) => onChange({ ...of, conditions })}
        none={t('settings.noConditions')}
      />
    </Changeable>
  )
}
