import type {
  ChannelPreferencesInput,
  DefinitionPartsFragment,
  FilterPartsFragment,
  StepFilterInput,
  StepType,
  WorkflowDefinitionInput,
  WorkflowStepInput,
} from '../gql'

const required = new Set(['body', 'subject', 'label', 'content', 'field', 'value', 'html'])
const keepZero = new Set(['threshold'])
const keepEmpty = new Set(['payload', 'data', 'payloadSchema', 'headers'])

/** A definition as it was read, in the form in which it is written: without what is not set. */
export function toInput(definition: DefinitionPartsFragment): WorkflowDefinitionInput {
  return strip(definition) as WorkflowDefinitionInput
}

/** The same for conditions. */
export function toFilters(filters: readonly FilterPartsFragment[] | null): StepFilterInput[] {
  return strip(filters ?? []) as StepFilterInput[]
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, v]) => v !== null && (v !== '' || required.has(name)) && (v !== 0 || keepZero.has(name)))
      .map(([name, v]) => [name, keepEmpty.has(name) ? v : strip(v)]),
  )
}

/** A new step of a type, ready to be filled in. */
export function newStep(type: StepType, taken: readonly string[]): WorkflowStepInput {
  const base = type.toLowerCase().replace('_', '-')
  let stepId = base
  for (let n = 2; taken.includes(stepId); n++) stepId = `${base}-${n}`
  const step: WorkflowStepInput = {
    type,
    stepId,
    name: stepId,
    active: true,
    shouldStopOnFail: false,
    unknownOutcome: 'RETRY',
    allowDuplicate: false,
  }
  switch (type) {
    case 'IN_APP':
      return { ...step, inApp: { body: '' } }
    case 'EMAIL':
      return { ...step, email: { subject: '', html: '', noLayout: false } }
    case 'SMS':
      return { ...step, sms: { body: '' } }
    case 'CHAT':
      return { ...step, chat: { body: '' } }
    case 'PUSH':
      return { ...step, push: { subject: '', body: '' } }
    case 'DIGEST':
      return {
        ...step,
        digest: {
          type: 'REGULAR',
          amount: 1,
          unit: 'HOURS',
          backoff: false,
          updateMode: false,
          extendToSchedule: false,
        },
      }
    case 'DELAY':
      return { ...step, delay: { type: 'REGULAR', amount: 1, unit: 'HOURS', extendToSchedule: false } }
    case 'THROTTLE':
      return { ...step, throttle: { threshold: 1, amount: 1, unit: 'HOURS' } }
    case 'TRIGGER':
      return { ...step, trigger: { workflow: '' } }
    case 'CUSTOM':
      return { ...step, custom: { url: '', method: 'POST' } }
  }
}

export const channelFields: [keyof ChannelPreferencesInput, string][] = [
  ['inApp', 'In-app'],
  ['email', 'E-mail'],
  ['sms', 'SMS'],
  ['chat', 'Chat'],
  ['push', 'Push'],
]

export type DiffLine = { kind: 'same' | 'add' | 'del'; text: string }

/** The lines of two texts: those that are common, added or removed (the longest common subsequence). */
export function diff(before: string, after: string): DiffLine[] {
  const first = before.split('\n')
  const second = after.split('\n')
  const shorter = Math.min(first.length, second.length)
  let head = 0
  while (head < shorter && first[head] === second[head]) head++
  let tail = 0
  while (tail < shorter - head && first.at(-1 - tail) === second.at(-1 - tail)) tail++
  const a = first.slice(head, first.length - tail)
  const b = second.slice(head, second.length - tail)
  const common: number[][] = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const kept = (text: string): DiffLine => ({ kind: 'same', text })
  const out = first.slice(0, head).map(kept)
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) out.push(kept(a[i++]!)), j++
    else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      out.push({ kind: 'del', text: a[i++]! })
    else out.push({ kind: 'add', text: b[j++]! })
  }
  return [...out, ...first.slice(first.length - tail).map(kept)]
}
