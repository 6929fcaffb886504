import type { StepVariantInput, WorkflowStepInput } from '../gql'
import { swap } from '../lists'

/** Steps with one of them moved by a number of places. */
export const moveStep = (steps: readonly WorkflowStepInput[], at: number, by: number) => swap(steps, at, at + by)

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
