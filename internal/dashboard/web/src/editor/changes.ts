import { isExact } from '../exact'
import type { WorkflowDefinitionInput, WorkflowStepInput } from '../gql'
import { words } from '../words'

/** One field that changed; a text is undefined where there is none. */
export type FieldChange = { path: string; before?: string; after?: string }
/** What became of one step, or of the workflow when it has no name. */
export type Change = { kind: 'added' | 'removed' | 'moved' | 'changed'; step?: string; fields: FieldChange[] }

/** How one definition came from another: the workflow's settings first, then its steps in their new order. */
export function changes(before: WorkflowDefinitionInput, after: WorkflowDefinitionInput): Change[] {
  const { steps: oldSteps, ...old } = before
  const { steps: newSteps, ...current } = after
  const out: Change[] = []
  const settings = fieldChanges(old, current)
  if (settings.length > 0) out.push({ kind: 'changed', fields: settings })
  const known = matched(oldSteps, newSteps)
  const stays = inOrder(newSteps.map((s) => known.get(s)).filter((at) => at !== undefined))
  for (const step of newSteps) {
    const at = known.get(step)
    if (at === undefined) {
      out.push({ kind: 'added', step: title(step), fields: [] })
      continue
    }
    if (!stays.has(at)) out.push({ kind: 'moved', step: title(step), fields: [] })
    const fields = fieldChanges(own(oldSteps[at]!), own(step))
    if (fields.length > 0) out.push({ kind: 'changed', step: title(step), fields })
  }
  const kept = new Set(known.values())
  const removed = oldSteps.filter((_, i) => !kept.has(i))
  return [...out, ...removed.map((step): Change => ({ kind: 'removed', step: title(step), fields: [] }))]
}

const title = (s: WorkflowStepInput) => `${s.name || s.stepId} (${words(s.type)})`
const own = ({ id: _, ...step }: WorkflowStepInput) => step

/** The old position of each new step: of the same record, else of the same identifier and type, as the server has it. */
function matched(before: readonly WorkflowStepInput[], after: readonly WorkflowStepInput[]) {
  const known = new Map<WorkflowStepInput, number>()
  for (const step of after) {
    let at = before.findIndex((s) => s.id && s.id === step.id)
    if (at < 0) at = before.findIndex((s) => s.stepId === step.stepId && s.type === step.type)
    if (at >= 0 && ![...known.values()].includes(at)) known.set(step, at)
  }
  return known
}

/** The most numbers of a list that are in ascending order as they are: those that did not move. */
function inOrder(list: readonly number[]): Set<number> {
  const best = list.map((n) => [n])
  list.forEach((n, i) => {
    for (let j = 0; j < i; j++) if (list[j]! < n && best[j]!.length >= best[i]!.length) best[i] = [...best[j]!, n]
  })
  return new Set(best.reduce((a, b) => (b.length > a.length ? b : a), []))
}

/** The fields in which two values differ. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (text(before) === text(after)) return []
  if (isRecord(before) && isRecord(after) && Array.isArray(before) === Array.isArray(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      fieldChanges(before[key], after[key], path ? `${path}.${key}` : key),
    )
  return [{ path, before: text(before), after: text(after) }]
}

const isRecord = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !isExact(v)

function text(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '' || value === false) return undefined
  if (Array.isArray(value) && value.length === 0) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
