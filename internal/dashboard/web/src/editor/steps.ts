import type { StepType, StepVariantInput, WorkflowStepInput } from '../gql'
import { swap } from '../lists'

export const stepTypes: StepType[] = [
  'IN_APP',
  'EMAIL',
  'SMS',
  'CHAT',
  'PUSH',
  'DIGEST',
  'DELAY',
  'THROTTLE',
  'TRIGGER',
  'CUSTOM',
]
const channelSteps = new Set<StepType>(['IN_APP', 'EMAIL', 'SMS', 'CHAT', 'PUSH'])

/** Reports whether steps of a type send messages. */
export const isChannelStep = (type: StepType) => channelSteps.has(type)

/** A new step of a type with the fields that it needs, under an identifier that is not taken. */
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

/** Steps with a new one of a type at the end. */
export const addStep = (steps: readonly WorkflowStepInput[], type: StepType): WorkflowStepInput[] => [
  ...steps,
  newStep(
    type,
    steps.map((s) => s.stepId ?? ''),
  ),
]

/** Steps with one of them moved by a number of places. */
export const moveStep = (steps: readonly WorkflowStepInput[], at: number, by: number) => swap(steps, at, at + by)

/** A step with the content of one of its variants, as it would be sent. */
export function variantAsStep(step: WorkflowStepInput, variant?: StepVariantInput): WorkflowStepInput {
  const { variants: _, ...own } = step
  if (!variant) return own
  const { inApp, email, sms, chat, push } = variant
  return { ...own, inApp, email, sms, chat, push }
}

/** The variants of a step with a new one at the end, which begins with the step's own content. */
export function addVariant(step: WorkflowStepInput): StepVariantInput[] {
  const { inApp, email, sms, chat, push, variants = [] } = step
  const name = `Variant ${(variants ?? []).length + 1}`
  return [...(variants ?? []), { name, filters: [], inApp, email, sms, chat, push }]
}

/** Variants with one of them first: its conditions are checked before those of the others. */
export function variantFirst(variants: readonly StepVariantInput[], at: number): StepVariantInput[] {
  const variant = variants[at]
  return variant ? [variant, ...variants.filter((v) => v !== variant)] : [...variants]
}

/** HTTP headers as lines, one per header. */
export const formatHeaders = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The headers of lines such as "Authorization: Bearer x"; lines without a name are left out. */
export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => line.split(/:(.*)/s, 2))
  return Object.fromEntries(
    lines.flatMap(([name = '', value = '']) => (name.trim() ? [[name.trim(), value.trim()]] : [])),
  )
}

/** The tags of a comma-separated text. */
export const parseTags = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
