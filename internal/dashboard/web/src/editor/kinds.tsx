import {
  Bell,
  Clock,
  Gauge,
  Globe,
  Layers,
  type LucideIcon,
  Mail,
  MessageSquare,
  MessagesSquare,
  Smartphone,
  Workflow,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { copyOf } from '../exact'
import type { StepType, WorkflowStepInput } from '../gql'
import { t } from '../text/text'
import { words } from '../words'
import { Custom, Trigger } from './calls'
import { payloadPath, plain, span } from './summary'
import { Delay, Digest, Throttle } from './waits'

/** What a type of steps is to the editor. */
interface Kind {
  icon: LucideIcon
  /** What a step of the type does, in one line. */
  summary: (step: WorkflowStepInput) => string | null | undefined
  /** The fields that a new step of the type needs. */
  initial: Partial<WorkflowStepInput>
  /** The controls of a step that sends no message. */
  controls?: (step: WorkflowStepInput, onChange: (change: Partial<WorkflowStepInput>) => void) => ReactNode
}

const noText = () => t('summary.noText')

/** The types of steps, in the order in which the editor offers them. */
const kinds: Record<StepType, Kind> = {
  IN_APP: {
    icon: Bell,
    initial: { inApp: { body: '' } },
    summary: ({ inApp }) => inApp && (plain(inApp.subject || inApp.body) || noText()),
  },
  EMAIL: {
    icon: Mail,
    initial: { email: { subject: '', html: '', noLayout: false } },
    summary: ({ email }) => email && (plain(email.subject) || t('summary.noSubject')),
  },
  SMS: {
    icon: MessageSquare,
    initial: { sms: { body: '' } },
    summary: ({ sms }) => sms && (plain(sms.body) || noText()),
  },
  CHAT: {
    icon: MessagesSquare,
    initial: { chat: { body: '' } },
    summary: ({ chat }) => chat && (plain(chat.body) || noText()),
  },
  PUSH: {
    icon: Smartphone,
    initial: { push: { subject: '', body: '' } },
    summary: ({ push }) => push && (plain(push.subject || push.body) || noText()),
  },
  DIGEST: {
    icon: Layers,
    summary: ({ digest }) => {
      if (digest?.type !== 'TIMED')
        return digest ? t('summary.collect', { span: span(digest.amount, digest.unit) }) : undefined
      const every = span(digest.amount ?? 1, digest.unit).replace(/^1 /, '')
      return t('summary.untilTime', { time: digest.timed?.atTime || '…', span: every })
    },
    initial: {
      digest: { type: 'REGULAR', amount: 1, unit: 'HOURS', backoff: false, updateMode: false, extendToSchedule: false },
    },
    controls: ({ digest }, onChange) => digest && <Digest of={digest} onChange={(digest) => onChange({ digest })} />,
  },
  DELAY: {
    icon: Clock,
    summary: ({ delay }) =>
      delay?.type === 'SCHEDULED'
        ? t('summary.waitUntil', { path: payloadPath(delay.delayPath) })
        : delay && t('summary.waitFor', { span: span(delay.amount, delay.unit) }),
    initial: { delay: { type: 'REGULAR', amount: 1, unit: 'HOURS', extendToSchedule: false } },
    controls: ({ delay }, onChange) => delay && <Delay of={delay} onChange={(delay) => onChange({ delay })} />,
  },
  THROTTLE: {
    icon: Gauge,
    summary: ({ throttle }) =>
      throttle &&
      (throttle.windowPath
        ? t('summary.atMostUntil', { most: throttle.threshold ?? 1, path: payloadPath(throttle.windowPath) })
        : t('summary.atMostWithin', {
            most: throttle.threshold ?? 1,
            span: span(throttle.amount, throttle.unit),
          })),
    initial: { throttle: { threshold: 1, amount: 1, unit: 'HOURS' } },
    controls: ({ throttle }, onChange) =>
      throttle && <Throttle of={throttle} onChange={(throttle) => onChange({ throttle })} />,
  },
  TRIGGER: {
    icon: Workflow,
    summary: ({ trigger }) =>
      trigger && (trigger.workflow ? t('summary.start', { workflow: trigger.workflow }) : t('summary.noWorkflow')),
    initial: { trigger: { workflow: '' } },
    controls: ({ trigger }, onChange) =>
      trigger && <Trigger of={trigger} onChange={(trigger) => onChange({ trigger })} />,
  },
  CUSTOM: {
    icon: Globe,
    summary: ({ custom }) =>
      custom && (custom.url ? `${custom.method ?? 'POST'} ${custom.url}` : t('summary.noAddress')),
    initial: { custom: { url: '', method: 'POST' } },
    controls: ({ custom }, onChange) => custom && <Custom of={custom} onChange={(custom) => onChange({ custom })} />,
  },
}

/** The types of steps. */
export const stepTypes = Object.keys(kinds) as StepType[]

/** The icon of a type of steps. */
export const iconOf = (type: StepType) => kinds[type].icon

/** What a step does, in one line. */
export const stepText = (step: WorkflowStepInput) => kinds[step.type].summary(step) || words(step.type)

/** Reports whether steps of a type send messages. */
export const isChannelStep = (type: StepType) => !kinds[type].controls

/** The controls of a step that sends no message. */
export const controlsOf = (
  step: WorkflowStepInput,
  onChange: (change: Partial<WorkflowStepInput>) => void,
): ReactNode => kinds[step.type].controls?.(step, onChange)

/** An identifier like base that no step has. */
export function freeId(base: string, steps: readonly WorkflowStepInput[]): string {
  const taken = new Set(steps.map((s) => s.stepId))
  let stepId = base
  for (let n = 2; taken.has(stepId); n++) stepId = `${base}-${n}`
  return stepId
}

/** Steps with a new one of a type at a place, which has the fields that it needs. */
export function addStep(steps: readonly WorkflowStepInput[], type: StepType, at = steps.length): WorkflowStepInput[] {
  const stepId = freeId(type.toLowerCase().replace('_', '-'), steps)
  return steps.toSpliced(at, 0, {
    type,
    stepId,
    name: stepId,
    active: true,
    shouldStopOnFail: false,
    unknownOutcome: 'RETRY',
    allowDuplicate: false,
    ...copyOf(kinds[type].initial),
  })
}
