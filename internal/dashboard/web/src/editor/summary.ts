import { operatorText } from '../conditions/operators'
import type { FilterPartInput, StepFilterInput, TimeUnit } from '../gql'

/** One comparison as a sentence: payload.total is at least 100. */
export const partText = (p: FilterPartInput) =>
  `${p.on.toLowerCase()}.${p.field || '…'} ${operatorText(p.operator)} ${p.value || '…'}`

/** Conditions as one line; '' when there are none. */
export function conditionText(filters: readonly StepFilterInput[] | null | undefined): string {
  const groups = (filters ?? []).map(({ children, value, isNegated }) => {
    const text = children.map(partText).join(value === 'OR' ? ' or ' : ' and ')
    if (isNegated) return `not (${text})`
    return children.length > 1 && (filters?.length ?? 0) > 1 ? `(${text})` : text
  })
  return groups.join(' and ')
}

/** An amount with its unit: 1 hour, 2 days. */
export function span(amount: number | null | undefined, unit: TimeUnit | null | undefined): string {
  const name = (unit ?? 'HOURS').toLowerCase()
  return `${amount ?? '…'} ${amount === 1 ? name.slice(0, -1) : name}`
}

/** A template as one line of text. */
export const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** A path into the payload, with its root. */
export const payloadPath = (path: string | null | undefined) => `payload.${(path || '…').replace(/^payload\./, '')}`
