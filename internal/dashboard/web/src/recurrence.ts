/** How a schedule repeats, as the form shows it; rule is the text of any one. */
export type Recurrence = {
  kind: 'once' | 'daily' | 'weekly' | 'monthly' | 'rule'
  interval: number
  days: string[]
  until: string
  rule: string
}

/** The days of the week, as rules name them. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

const kinds = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly' } as const

/** The rule that the fields of a form make; null: once. */
export function ruleOf(r: Recurrence): string | null {
  if (r.kind === 'once') return null
  if (r.kind === 'rule') return r.rule.trim()
  const parts = [`FREQ=${r.kind.toUpperCase()}`]
  if (r.interval > 1) parts.push(`INTERVAL=${r.interval}`)
  if (r.kind === 'weekly' && r.days.length > 0)
    parts.push(`BYDAY=${weekdays.filter((d) => r.days.includes(d)).join(',')}`)
  if (r.until) parts.push(`UNTIL=${r.until.replaceAll('-', '')}`)
  return parts.join(';')
}

/** The form of a rule: its text, unless the form can say it. */
export function recurrenceOf(rule?: string | null): Recurrence {
  const form: Recurrence = { kind: 'once', interval: 1, days: [], until: '', rule: rule ?? 'FREQ=MONTHLY;BYDAY=1MO' }
  if (!rule) return form
  for (const part of rule.split(';')) {
    const [name, value = ''] = part.split('=')
    if (name === 'FREQ' && value in kinds) form.kind = kinds[value as keyof typeof kinds]
    if (name === 'INTERVAL') form.interval = Number(value)
    if (name === 'BYDAY') form.days = value.split(',')
    if (name === 'UNTIL') form.until = value.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  }
  return ruleOf(form) === rule ? form : { ...form, kind: 'rule', days: [], interval: 1, until: '' }
}

/** The days of a text that separates them by spaces, commas or lines. */
export const daysOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
