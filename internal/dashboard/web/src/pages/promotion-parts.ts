import type { ConfigurationKind, PromotionPlanQuery, PromotionsQuery } from '../gql'
import { namesOf } from '../lists'
import { t } from '../text/text'
import { words } from '../words'

export type Part = { kind: ConfigurationKind; name: string }
export type Piece = PromotionPlanQuery['promotionPlan']['changes'][number]['fields'][number]['words'][number]
type Resource = PromotionsQuery['promotions']['nodes'][number]['resources'][number]

type Environment = { id: string; type: 'DEVELOPMENT' | 'PRODUCTION' }

/**
 * The environments that a promotion is offered between, where the address names none: from the present one to production, or into it
 * when that is the present one.
 */
export function endsOf<E extends Environment>(
  environments: readonly E[],
  here: string,
  from: string,
  to: string,
): { source?: E; target?: E } {
  const find = (id: string) => environments.find((e) => e.id === id)
  const first = (other: E | undefined, ...wanted: ((e: E) => boolean)[]) => {
    const left = environments.filter((e) => e.id !== other?.id)
    return wanted.map((is) => left.find(is)).find((e) => e) ?? left[0]
  }
  const isHere = (e: E) => e.id === here
  const isProduction = (e: E) => e.type === 'PRODUCTION'
  const target = find(to) ?? first(find(from), (e) => isHere(e) && isProduction(e), isProduction, isHere)
  const source = find(from) ?? first(target, isHere, (e) => !isProduction(e))
  return { source, target }
}

/** What identifies a part within a plan. */
export const partKey = (p: Part) => `${p.kind}/${p.name}`

/** A part as people name it: workflow order-shipped. */
export const partName = (p: { kind: string; name: string }) => `${words(p.kind).toLowerCase()} ${p.name}`

/**
 * The parts of a typed list such as "workflow/order-shipped, layout/brand", as the command line takes it. Undefined when it
 * is empty, which means all. Throws an error that names what is no part.
 */
export function parseParts(text: string): Part[] | undefined {
  const typed = namesOf(text)
  if (typed.length === 0) return undefined
  return typed.map((text) => {
    const [, kind, name] = /^([a-z][a-z -]*)\/(.+)$/i.exec(text) ?? []
    if (!kind || !name) throw new Error(t('promote.noResource', { text }))
    return { kind: kind.toUpperCase().replaceAll(/[ -]/g, '_') as ConfigurationKind, name }
  })
}

/** How much of an unchanged text is shown on either side of a change. */
const around = 80

/**
 * One side of a compared text: what the other side alone has is left out, and long unchanged pieces are abridged in their
 * middle, or at the end of the text.
 */
export function sideOf(pieces: readonly Piece[], without: 'ADDED' | 'REMOVED'): Piece[] {
  return pieces.flatMap((p, i) => {
    if (p.change === without) return []
    if (p.change !== 'SAME' || p.text.length <= 3 * around) return [p]
    const head = i === 0 ? '' : p.text.slice(0, around)
    const tail = i === pieces.length - 1 ? '' : p.text.slice(-around)
    return [{ ...p, text: `${head} … ${tail}` }]
  })
}

/** What a promotion did to one resource: workflow order-shipped changed, version 4 as version 2. */
export function resourceText(r: Resource): string {
  const text = t(`promote.did.${r.action}`, { part: partName(r) })
  if (r.version === null) return text
  return r.sourceVersion === null
    ? t('promote.nowVersion', { text, version: r.version })
    : t('promote.asVersion', { text, source: r.sourceVersion, version: r.version })
}
