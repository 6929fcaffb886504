import { Plus, Trash2 } from 'lucide-react'
import { useQuery } from '../api'
import { Button } from '../button'
import { useAround } from '../editor/around'
import { Check, Select, Text } from '../form'
import { type FilterOn, type FilterValue, type StepFilterInput, SubscriberDataDocument } from '../gql'
import { t } from '../text/text'
import { words } from '../words'
import { dataPaths, type Fields, schemaPaths, stepFields, subscriberFields, usualValues } from './fields'
import { addGroup, addPart, type Group, type Operator, type Part, removePart, setGroup, setPart } from './groups'
import { operatorText, stepOperators } from './operators'
import { listOf } from './values'

const places: FilterOn[] = ['PAYLOAD', 'SUBSCRIBER', 'ACTOR', 'TENANT', 'STEP']
const joins = () => [
  { value: 'AND', label: t('filters.allMustHold') },
  { value: 'OR', label: t('filters.oneMustHold') },
]

type Common = {
  /** Where the fields may lie. */
  places: readonly FilterOn[]
  operators: readonly Operator[]
  fields: Fields
  payloadSchema?: unknown
  /** Whether the conditions are part of a form, which is not sent while one has no field. */
  required?: boolean
}

/** Conditions of steps, variants and integrations: all groups must hold, and in a group all or any of its parts. */
export function Filters({
  label,
  at,
  filters,
  onChange,
  none = t('filters.none'),
}: {
  label: string
  at: string
  filters: readonly StepFilterInput[]
  onChange: (f: StepFilterInput[]) => void
  none?: string
}) {
  const { payloadSchema, earlier } = useAround()
  const subscriber = useSubscriberFields()
  return (
    <Builder
      label={label}
      at={at}
      groups={filters}
      onChange={(groups) => onChange(groups as StepFilterInput[])}
      none={none}
      places={places}
      operators={stepOperators}
      payloadSchema={payloadSchema}
      fields={{
        PAYLOAD: schemaPaths(payloadSchema),
        SUBSCRIBER: subscriber,
        ACTOR: subscriber,
        TENANT: ['identifier', 'name', 'data.'],
        STEP: stepFields(earlier),
      }}
    />
  )
}

/** The fields of subscribers, with those of the data that some of them have. */
export function useSubscriberFields(): string[] {
  const { data } = useQuery(SubscriberDataDocument, {})
  return [...subscriberFields, ...dataPaths(data?.subscribers.nodes.map((s) => s.data) ?? []).map((p) => `data.${p}`)]
}

/** Groups of conditions. join is how the groups are joined, where that can be chosen. */
export function Builder({
  label,
  at,
  groups,
  onChange,
  none,
  join,
  onJoin,
  ...common
}: Common & {
  label: string
  at: string
  groups: readonly Group[]
  onChange: (groups: Group[]) => void
  none: string
  join?: FilterValue
  onJoin?: (join: FilterValue) => void
}) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {groups.length === 0 && <p className="soft small">{none}</p>}
      {groups.map((group, i) => (
        <GroupFields
          key={i}
          {...common}
          at={`${at}.${i}`}
          name={groups.length > 1 ? `${i + 1}.` : ''}
          group={group}
          onChange={(g) => onChange(setGroup(groups, i, g))}
        />
      ))}
      <div className="row">
        {onJoin && groups.length > 1 && (
          <Select
            label={t('filters.combineGroups')}
            value={join ?? 'AND'}
            onChange={(value) => onJoin(value as FilterValue)}
            options={joins()}
          />
        )}
        <Button icon={Plus} onClick={() => onChange(addGroup(groups, common.places[0]))}>
          {groups.length > 0 ? t('filters.addAGroup') : t('filters.addACondition')}
        </Button>
      </div>
    </fieldset>
  )
}

function GroupFields({
  name,
  at,
  group,
  onChange,
  ...common
}: Common & { name: string; at: string; group: Group; onChange: (g?: Group) => void }) {
  const parts = group.children
  return (
    <div className="stack">
      {parts.map((p, i) => (
        <PartFields
          key={i}
          {...common}
          at={`${at}.children.${i}`}
          n={`${name}${i + 1}`}
          of={p}
          onChange={(change) => onChange(setPart(group, i, change))}
          onRemove={() => onChange(removePart(group, i))}
        />
      ))}
      <div className="row">
        {parts.length > 1 && (
          <Select
            label={t('filters.combine', { n: name })}
            value={group.value ?? 'AND'}
            onChange={(value) => onChange({ ...group, value: value as FilterValue })}
            options={joins()}
          />
        )}
        <Check
          label={t('filters.negate')}
          value={group.isNegated ?? false}
          onChange={(isNegated) => onChange({ ...group, isNegated })}
        />
        <Button icon={Plus} onClick={() => onChange(addPart(group, common.places[0]))}>
          {t('filters.addToThisGroup')}
        </Button>
      </div>
    </div>
  )
}

/** What the field of a comparison is like. */
const hints = (on: FilterOn): string | undefined => (on === 'STEP' ? t('filters.stepHint') : undefined)

function PartFields({
  at,
  n,
  of,
  onChange,
  onRemove,
  places,
  operators,
  fields,
  payloadSchema,
  required,
}: Common & {
  at: string
  n: string
  of: Part
  onChange: (change: Partial<Part>) => void
  onRemove: () => void
}) {
  const between = of.operator === 'BETWEEN' || of.operator === 'NOT_BETWEEN'
  return (
    <div className="filters" role="group" aria-label={t('filters.conditionN', { n })}>
      {places.length > 1 && (
        <Select
          label={t('filters.ofN', { n })}
          at={`${at}.on`}
          value={of.on}
          onChange={(on) => onChange({ on: on as FilterOn })}
          options={places.map((value) => ({ value, label: words(value) }))}
        />
      )}
      <Text
        label={t('filters.fieldN', { n })}
        at={`${at}.field`}
        value={of.field}
        onChange={(field) => onChange({ field })}
        placeholder={hints(of.on)}
        choices={fields[of.on]}
        required={required}
      />
      <Select
        label={t('filters.operatorN', { n })}
        at={`${at}.operator`}
        value={of.operator}
        onChange={(o) => onChange({ operator: o as Operator })}
        options={operators.map((value) => ({ value, label: operatorText(value) }))}
      />
      {of.operator !== 'SET' && of.operator !== 'NOT_SET' && (
        <Text
          label={t('filters.valueN', { n })}
          at={`${at}.value`}
          value={of.value}
          onChange={(value) => onChange({ value })}
          choices={usualValues(payloadSchema, of.on, of.field)}
          wrong={required && between && listOf(of.value).length !== 2 ? t('filters.twoBounds') : undefined}
        />
      )}
      <Button icon={Trash2} aria-label={t('filters.removeN', { n })} onClick={onRemove}>
        {t('common.remove')}
      </Button>
    </div>
  )
}
