import type { FilterOperator, FilterPartInput, StepFilterInput, TimeUnit } from '../gql'

/** The operators of conditions, with the words that people read. */
export const operators: { value: FilterOperator; label: string }[] = [
  { value: 'EQUAL', label: 'is' },
  { value: 'NOT_EQUAL', label: 'is not' },
  { value: 'LARGER', label: 'is larger than' },
  { value: 'SMALLER', label: 'is smaller than' },
  { value: 'LARGER_EQUAL', label: 'is at least' },
  { value: 'SMALLER_EQUAL', label: 'is at most' },
  { value: 'IN', label: 'is one of' },
  { value: 'NOT_IN', label: 'is none of' },
  { value: 'ANY_IN', label: 'has one of' },
  { value: 'ALL_IN', label: 'has all of' },
  { value: 'BETWEEN', label: 'is between' },
  { value: 'NOT_BETWEEN', label: 'is not between' },
  { value: 'LIKE', label: 'contains' },
  { value: 'NOT_LIKE', label: 'does not contain' },
]

const labels = new Map(operators.map((o) => [o.value, o.label]))

/** One comparison as a sentence: payload.total is at least 100. */
export const partText = (p: FilterPartInput) =>
  `${p.on.toLowerCase()}.${p.field || '…'} ${labels.get(p.operator)} ${p.value || '…'}`

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
