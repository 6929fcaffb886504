import { copyOf } from '../exact'
import type { StepVariantInput, WorkflowStepInput } from '../gql'
import { t } from '../text/text'
import { freeId } from './kinds'

/** Steps with one of them moved to another place. */
export function moveStep(steps: readonly WorkflowStepInput[], from: number, to: number): WorkflowStepInput[] {
  const moved = steps[from]
  if (!moved || to < 0 || to >= steps.length) return [...steps]
  return steps.filter((s) => s !== moved).toSpliced(to, 0, moved)
}

/** Steps with a copy of one of them behind it, under an identifier of its own. */
export function duplicateStep(steps: readonly WorkflowStepInput[], at: number): WorkflowStepInput[] {
  const { id: _, ...copied } = copyOf(steps[at]!)
  const variants = copied.variants?.map(({ id: _, ...variant }) => variant)
  const stepId = freeId(`${copied.stepId}-copy`, steps)
  const name = copied.name ? t('card.copyOf', { name: copied.name }) : stepId
  return steps.toSpliced(at + 1, 0, { ...copied, stepId, name, ...(variants && { variants }) })
}

/** Reports whether a step comes after a digest, whose events its templates see. */
export const isAfterDigest = (steps: readonly WorkflowStepInput[], at: number) =>
  steps.slice(0, at).some((step) => step.type === 'DIGEST')

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
  const name = t('variants.variantN', { n: (variants ?? []).length + 1 })
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

/** The section of a step's panel that has the field at a path. */
export function sectionOf(path: string): 'Content' | 'Conditions' | 'Settings' {
  if (path.startsWith('filters')) return 'Conditions'
  if (/^(name|stepId|active|shouldStopOnFail|unknownOutcome|deadlineSeconds|allowDuplicate|replyCallback)\b/.test(path))
    return 'Settings'
  return 'Content'
}
