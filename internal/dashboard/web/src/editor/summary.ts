import { operatorText } from '../conditions/operators'
import type { FilterPartInput, StepFilterInput, TimeUnit } from '../gql'
import { t } from '../text/text'

/** One comparison as a sentence: payload.total is at least 100. */
export const partText = (p: FilterPartInput) =>
  `${p.on.toLowerCase()}.${p.field || '…'} ${operatorText(p.operator)} ${p.value || '…'}`

/** Conditions as one line; '' when there are none. */
export function conditionText(filters: readonly StepFilterInput[] | null | undefined): string {
  const groups = (filters ?? []).map(({ children, value, isNegated }) => {
    const text = children.map(partText).join(value === 'OR' ? t('summary.or') : t('summary.and'))
    if (isNegated) return t('summary.not', { conditions: text })
    return children.length > 1 && (filters?.length ?? 0) > 1 ? `(${text})` : text
  })
  return groups.join(t('summary.and'))
}

/** An amount with its unit: 1 hour, 2 days. */
export function span(amount: number | null | undefined, unit: TimeUnit | null | undefined): string {
  const text = t(`summary.span.${unit ?? 'HOURS'}`, { n: amount ?? 2 })
  return amount == null ? text.replace(/\d+/, '…') : text
}

/** A template as one line of text. */
export const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** A path into the payload, with its root. */
export const payloadPath = (path: string | null | undefined) => `payload.${(path || '…').replace(/^payload\./, '')}`
