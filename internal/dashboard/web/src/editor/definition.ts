import { isExact } from '../exact'
import type {
  ChannelPreferencesInput,
  DefinitionPartsFragment,
  FilterPartsFragment,
  StepFilterInput,
  WorkflowDefinitionInput,
} from '../gql'
import { words } from '../words'

const required = new Set(['body', 'subject', 'label', 'content', 'field', 'value', 'html'])
const keepZero = new Set(['threshold'])
const keepEmpty = new Set(['payload', 'data', 'payloadSchema', 'headers'])

/** A definition as it was read, in the form in which it is written: without what is not set. */
export function toInput(definition: DefinitionPartsFragment): WorkflowDefinitionInput {
  return strip(definition) as WorkflowDefinitionInput
}

/** Conditions as they were read, in the form in which they are written. */
export function toFilters(filters: readonly FilterPartsFragment[] | null): StepFilterInput[] {
  return strip(filters ?? []) as StepFilterInput[]
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (value === null || typeof value !== 'object' || isExact(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, v]) => v !== null && (v !== '' || required.has(name)) && (v !== 0 || keepZero.has(name)))
      .map(([name, v]) => [name, keepEmpty.has(name) ? v : strip(v)]),
  )
}

/** The channels of preferences, with their names. */
export const channelFields = (): [keyof ChannelPreferencesInput, string][] => [
  ['inApp', words('IN_APP')],
  ['email', words('EMAIL')],
  ['sms', words('SMS')],
  ['chat', words('CHAT')],
  ['push', words('PUSH')],
]
