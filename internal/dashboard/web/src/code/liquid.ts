import { membersOf, type Schema, type Step, schemasAt, typesOf } from './json-schema'
import type { Names, Template } from './knowledge'
import words from './liquid-words.json'
import type { Offer, Offers } from './offers'
import { word } from './words'

/** The object or tag that a position lies in, up to the position; undefined outside of both. */
export function insideLiquid(text: string, position: number): { tag: boolean; from: number } | undefined {
  const before = text.slice(0, position)
  const from = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%')) + 2
  if (from < 2 || /[%}]\}/.test(before.slice(from))) return undefined
  return { tag: before[from - 1] === '%', from }
}

/** What may stand at a position of a template; undefined outside of its objects and tags. */
export function liquidOffers(text: string, position: number, sees: Template, names: Names): Offers | undefined {
  const place = insideLiquid(text, position)
  if (!place) return undefined
  const inside = lineOf(text.slice(place.from, position), place.tag)
  const offer = (typed: string, offers: Offer[]) =>
    offers.length > 0 ? { from: position - typed.length, to: position, offers } : undefined
  const [, tag] = (place.tag && /^-?\s*(\w*)$/.exec(inside)) || []
  if (tag !== undefined) return offer(tag, tags)
  const quoted = openText(inside)
  if (quoted) {
    if (place.tag && /^-?\s*render\s*$/.test(quoted.before)) return offer(quoted.typed, named(names.snippets, 'text'))
    return /[:|.]/.test(quoted.before) || place.tag ? undefined : offer(quoted.typed, named(names.keys, 'text'))
  }
  const [, filter] = /\|\s*(\w*)$/.exec(inside) ?? []
  if (filter !== undefined) return offer(filter, filters)
  if (
    place.tag &&
    /^-?\s*(for\s+\w*|tablerow\s+\w*|assign\s+\w*|(capture|increment|decrement)\b.*|(end|else\b|break|continue|raw|comment).*)$/.test(
      inside,
    )
  )
    return undefined
  const [, path, member] = /([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*)\.([\w-]*)$/.exec(inside) ?? []
  const locals = localsOf(text.slice(0, position - inside.length))
  if (path !== undefined) return offer(member!, membersAt(stepsOf(path), sees, names, locals))
  const [, root] = /(?:^-?|[\s(:,=<>|])([A-Za-z_]\w*|)$/.exec(inside) ?? []
  return root === undefined ? undefined : offer(root, rootsOf(sees, [...locals.keys()]))
}

/** What a tag says, of the tag liquid the line that is written: each is a tag without its signs. */
const lineOf = (inside: string, tag: boolean): string => {
  const [begin] = (tag && /^-?\s*liquid\s/.exec(inside)) || []
  return begin === undefined ? inside : inside.slice(Math.max(begin.length, inside.lastIndexOf('\n') + 1))
}

/** The text in quotes that the end lies in, and what is before it. */
function openText(inside: string): { before: string; typed: string } | undefined {
  let open = -1
  for (let i = 0; i < inside.length; i++) {
    const sign = inside[i]!
    if (open < 0 ? sign === '"' || sign === "'" : sign === inside[open]) open = open < 0 ? i : -1
  }
  return open < 0 ? undefined : { before: inside.slice(0, open), typed: inside.slice(open + 1) }
}

const named = (names: readonly string[], kind: Offer['kind'], detail?: string): Offer[] =>
  names.map((name) => ({ label: name, insert: name, cursor: name.length, kind, detail }))

const tags = named(words.tags, 'keyword')

const filters: Offer[] = Object.entries(words.filters).map(([name, least]) => {
  const insert = least > 0 ? `${name}: ` : name
  return { label: name, insert, cursor: insert.length, kind: 'function' }
})

const ofSteps = ['subscriber', 'payload', 'actor', 'tenant', 'context', 'step', 'steps', 'env']
const roots = { step: ofSteps, layout: ['content', 'subject', 'preheader', ...ofSteps], snippet: ['env'] }

const rootsOf = ({ place }: Template, locals: readonly string[]): Offer[] => [
  ...named(locals, 'variable').map((offer) => ({ ...offer, first: true })),
  ...named(roots[place], 'variable'),
]

/** A path such as items[0].name as its steps. */
const stepsOf = (path: string): Step[] =>
  [...path.matchAll(/[\w-]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part))

/** The names that a template gives to other paths before a position: in loops, which give each item one, and by assign. */
function localsOf(before: string): Map<string, Step[]> {
  const found = new Map<string, Step[]>()
  const given =
    /(?:\{%-?(?:\s*liquid\s)?|\n)\s*(?:(?:(for|tablerow)\s+(\w+)\s+in|assign\s+(\w+)\s*=)\s*([\w.[\]-]*)\s*(\||%)?|(?:capture|increment|decrement)\s+(\w+))/g
  for (const [, loop, item, assigned, path = '', , captured] of before.matchAll(given)) {
    if (loop) found.set(item!, [...stepsOf(path), 0])
    else found.set((assigned ?? captured)!, assigned ? stepsOf(path) : [])
  }
  return found
}

const loopFields = ['index', 'index0', 'first', 'last', 'rindex', 'rindex0', 'length', 'parentloop']
const tableFields = [...loopFields, 'col', 'col0', 'col_first', 'col_last', 'row']
const listFields = ['size', 'first', 'last']

/** What may follow the point behind a path. */
function membersAt(path: Step[], sees: Template, names: Names, locals: Map<string, Step[]>, left = 8): Offer[] {
  const [root, ...below] = path
  const meant = locals.get(String(root))
  if (meant && left > 0 && meant.length > 0) return membersAt([...meant, ...below], sees, names, locals, left - 1)
  if (root === 'forloop') return named(loopFields, 'property')
  if (root === 'tablerowloop') return named(tableFields, 'property')
  if (root === 'env') return below.length > 0 ? [] : named(names.variables, 'property')
  if (sees.place === 'snippet') return []
  if (root === 'payload') return ofPayload(sees.payloadSchema, below)
  if (below.length > 0) return []
  switch (root) {
    case 'subscriber':
    case 'actor':
      return named(words.subscriber, 'property')
    case 'tenant':
      return named(words.tenant, 'property')
    case 'step':
      return named(words.step, 'property')
    case 'steps':
      return named(sees.earlier ?? [], 'property')
  }
  return []
}

function ofPayload(schema: unknown, path: Step[]): Offer[] {
  const steps = path.map((step) => (step === 'first' || step === 'last' ? 0 : step))
  const at = schemasAt(schema, steps)
  const members = membersOf(at, schema).map(({ name, schemas, required }) => ({
    ...named([name], 'property', detailOf(schemas, required))[0]!,
    first: required,
  }))
  return typesOf(at).includes('array') ? [...members, ...named(listFields, 'property')] : members
}

const detailOf = (schemas: Schema[], required: boolean): string =>
  [required && word('required'), typesOf(schemas).join(', ')].filter(Boolean).join(' · ')
