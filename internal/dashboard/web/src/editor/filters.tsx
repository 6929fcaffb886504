import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../button'
import { Check, Select, Text } from '../form'
import type { FilterOn, FilterOperator, FilterPartInput, FilterValue, StepFilterInput } from '../gql'
import { t } from '../text/text'
import { addGroup, addPart, removePart, setGroup, setPart } from './conditions'

const operators: { value: FilterOperator; label: string }[] = [
  { value: 'EQUAL', label: 'is' },
  { value: 'NOT_EQUAL', label: 'is not' },
  { value: 'LARGER', label: 'is larger than' },
  { value: 'SMALLER', label: 'is smaller than' },
  { value: 'LARGER_EQUAL', label: 'is at least' },
  { value: 'SMALLER_EQUAL', label: 'is at most' },
  { value: 'IN', label: 'is one of' },
  { value: 'NOT_IN', label: 'is none of' },
  { value: 'ANY_IN', label: 'has one of' },
  { value: 'ALL_IN', label: 'has all of' },
  { value: 'BETWEEN', label: 'is between' },
  { value: 'NOT_BETWEEN', label: 'is not between' },
  { value: 'LIKE', label: 'contains' },
  { value: 'NOT_LIKE', label: 'does not contain' },
]
const places: FilterOn[] = ['PAYLOAD', 'SUBSCRIBER', 'ACTOR', 'TENANT', 'STEP']
const joins = [
  { value: 'AND', label: 'all must hold' },
  { value: 'OR', label: 'one must hold' },
]
const hints: Partial<Record<FilterOn, string>> = { STEP: 'Step and state, such as mail.read' }

/** Conditions in groups: all groups must hold, and in a group all or any of its parts. */
export function Filters({
  label,
  at,
  filters,
  onChange,
  none = 'No conditions: always applies.',
}: {
  label: string
  at: string
  filters: readonly StepFilterInput[]
  onChange: (f: StepFilterInput[]) => void
  none?: string
}) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {filters.length === 0 && <p className="soft small">{none}</p>}
      {filters.map((group, i) => (
        <Group
          key={i}
          at={`${at}.${i}`}
          name={filters.length > 1 ? ` ${i + 1}.` : ' '}
          group={group}
          onChange={(g) => onChange(setGroup(filters, i, g))}
        />
      ))}
      <div>
        <Button icon={Plus} onClick={() => onChange(addGroup(filters))}>
          {t('filters.addACondition')}
        </Button>
      </div>
    </fieldset>
  )
}

function Group({
  name,
  at,
  group,
  onChange,
}: {
  name: string
  at: string
  group: StepFilterInput
  onChange: (g?: StepFilterInput) => void
}) {
  const parts = group.children
  const set = (at: number, change: Partial<FilterPartInput>) => onChange(setPart(group, at, change))
  return (
    <div className="stack">
      {parts.map((p, i) => (
        <div className="filters" key={i}>
          <Select
            label={`Of${name}${i + 1}`}
            at={`${at}.children.${i}.on`}
            value={p.on}
            onChange={(on) => set(i, { on: on as FilterOn })}
            options={places}
          />
          <Text
            label={`Field${name}${i + 1}`}
            at={`${at}.children.${i}.field`}
            value={p.field}
            onChange={(field) => set(i, { field })}
            placeholder={hints[p.on]}
          />
          <Select
            label={`Operator${name}${i + 1}`}
            at={`${at}.children.${i}.operator`}
            value={p.operator}
            onChange={(o) => set(i, { operator: o as FilterOperator })}
            options={operators}
          />
          <Text
            label={`Value${name}${i + 1}`}
            at={`${at}.children.${i}.value`}
            value={p.value}
            onChange={(value) => set(i, { value })}
          />
          <Button
            icon={Trash2}
            aria-label={`Remove condition${name}${i + 1}`}
            onClick={() => onChange(removePart(group, i))}
          >
            {t('common.remove')}
          </Button>
        </div>
      ))}
      <div className="row">
        {parts.length > 1 && (
          <Select
            label={`Combine${name.trimEnd()}`}
            value={group.value ?? 'AND'}
            onChange={(value) => onChange({ ...group, value: value as FilterValue })}
            options={joins}
          />
        )}
        <Check
          label={t('filters.negate')}
          value={group.isNegated ?? false}
          onChange={(isNegated) => onChange({ ...group, isNegated })}
        />
        <Button icon={Plus} onClick={() => onChange(addPart(group))}>
          {t('filters.addToThisGroup')}
        </Button>
      </div>
    </div>
  )
}
