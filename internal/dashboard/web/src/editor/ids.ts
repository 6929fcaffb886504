import type { WorkflowStepInput } from '../gql'

const key = (s: WorkflowStepInput) => `${s.type}:${s.stepId}`

/** The record identifiers of saved steps, for steps that were added since the page was loaded. */
export const recordIds = (saved: readonly WorkflowStepInput[]) =>
  new Map(saved.flatMap((s) => (s.id ? [[key(s), s.id] as const] : [])))

/** Steps with the record identifiers that they were saved under, each given once. */
export function withIds(steps: readonly WorkflowStepInput[], ids: ReadonlyMap<string, string>): WorkflowStepInput[] {
  const given = new Set(steps.map((s) => s.id))
  return steps.map((s) => {
    const id = s.id ? undefined : ids.get(key(s))
    return id && !given.has(id) ? { ...s, id } : s
  })
}
