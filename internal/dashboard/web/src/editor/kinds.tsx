import type { ReactNode } from 'react'
import type { StepType, WorkflowStepInput } from '../gql'
import { Custom, Trigger } from './calls'
import { Delay, Digest, Throttle } from './waits'

/** What a type of steps is to the editor. */
interface Kind {
  /** The fields that a new step of the type needs. */
  initial: Partial<WorkflowStepInput>
  /** The controls of a step that sends no message. */
  controls?: (step: WorkflowStepInput, onChange: (change: Partial<WorkflowStepInput>) => void) => ReactNode
}

/** The types of steps, in the order in which the editor offers them. */
const kinds: Record<StepType, Kind> = {
  IN_APP: { initial: { inApp: { body: '' } } },
  EMAIL: { initial: { email: { subject: '', html: '', noLayout: false } } },
  SMS: { initial: { sms: { body: '' } } },
  CHAT: { initial: { chat: { body: '' } } },
  PUSH: { initial: { push: { subject: '', body: '' } } },
  DIGEST: {
    initial: {
      digest: { type: 'REGULAR', amount: 1, unit: 'HOURS', backoff: false, updateMode: false, extendToSchedule: false },
    },
    controls: ({ digest }, onChange) => digest && <Digest of={digest} onChange={(digest) => onChange({ digest })} />,
  },
  DELAY: {
    initial: { delay: { type: 'REGULAR', amount: 1, unit: 'HOURS', extendToSchedule: false } },
    controls: ({ delay }, onChange) => delay && <Delay of={delay} onChange={(delay) => onChange({ delay })} />,
  },
  THROTTLE: {
    initial: { throttle: { threshold: 1, amount: 1, unit: 'HOURS' } },
    controls: ({ throttle }, onChange) =>
      throttle && <Throttle of={throttle} onChange={(throttle) => onChange({ throttle })} />,
  },
  TRIGGER: {
    initial: { trigger: { workflow: '' } },
    controls: ({ trigger }, onChange) =>
      trigger && <Trigger of={trigger} onChange={(trigger) => onChange({ trigger })} />,
  },
  CUSTOM: {
    initial: { custom: { url: '', method: 'POST' } },
    controls: ({ custom }, onChange) => custom && <Custom of={custom} onChange={(custom) => onChange({ custom })} />,
  },
}

/** The types of steps. */
export const stepTypes = Object.keys(kinds) as StepType[]

/** Reports whether steps of a type send messages. */
export const isChannelStep = (type: StepType) => !kinds[type].controls

/** The controls of a step that sends no message. */
export const controlsOf = (
  step: WorkflowStepInput,
  onChange: (change: Partial<WorkflowStepInput>) => void,
): ReactNode => kinds[step.type].controls?.(step, onChange)

/** A new step of a type with the fields that it needs, under an identifier that is not taken. */
export function newStep(type: StepType, taken: readonly string[]): WorkflowStepInput {
  const base = type.toLowerCase().replace('_', '-')
  let stepId = base
  for (let n = 2; taken.includes(stepId); n++) stepId = `${base}-${n}`
  return {
    type,
    stepId,
    name: stepId,
    active: true,
    shouldStopOnFail: false,
    unknownOutcome: 'RETRY',
    allowDuplicate: false,
    ...structuredClone(kinds[type].initial),
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
