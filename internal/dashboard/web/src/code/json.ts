import { jsonLanguage } from '@codemirror/lang-json'
import type { SyntaxNode, Tree } from '@lezer/common'
import {
  below,
  type Fault,
  faultsOf,
  membersOf,
  type Named,
  type Schema,
  type Step,
  schemasAt,
  typesOf,
  valuesOf,
} from './json-schema'
import { type Mark, markText } from './marks'
import type { Offer, Offers } from './offers'
import { word } from './words'

const parse = (text: string): Tree => jsonLanguage.parser.parse(text)

/** Where a text is no JSON, or does not meet its schema. */
export function jsonMarks(text: string, schema?: unknown): Mark[] {
  if (text.trim() === '') return []
  const tree = parse(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (e) {
    const { message } = e as Error
    return [{ ...syntaxFault(tree, message, text), severity: 'error', message: brief(message) }]
  }
  if (schema === undefined) return []
  return faultsOf(value, schema)
    .map((fault): Mark => ({ ...placeOf(tree, text, fault), severity: 'warning', message: faultText(fault) }))
    .filter(({ from, to }) => !/^"[\s\S]*\{[{%]/.test(text.slice(from, to))) // a template may become anything
}

/** What the parser says, without the place, which is marked. */
const brief = (message: string) =>
  message.replace(/^JSON\.parse: |, (\.\.\.)?"[\s\S]*is not valid JSON$| (in JSON )?at (position|line) [\s\S]*$/g, '')

/** The first place that the grammar does not know, else the one that the message of the parser names. */
function syntaxFault(tree: Tree, message: string, text: string) {
  let from = -1
  tree.iterate({
    enter(node) {
      if (node.type.isError && from < 0) from = node.from
    },
  })
  if (from < 0) from = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
  return markText(text, from)
}

/** The part of a text that a fault is about: a value, or the name of a member; of what is missing, what should have it. */
function placeOf(tree: Tree, text: string, fault: Fault) {
  let node = tree.topNode.firstChild
  let name: SyntaxNode | null = null
  for (const step of fault.path) {
    const next = node && partOf(node, step, text)
    if (!next) break
    node = next.value
    name = next.name ?? null
  }
  if (fault.kind === 'missing') return { from: node?.from ?? 0, to: (node?.from ?? 0) + 1 }
  const at = fault.kind === 'unknown' ? name : node
  return { from: at?.from ?? 0, to: at?.to ?? text.length }
}

function partOf(
  node: SyntaxNode,
  step: Step,
  text: string,
): { value: SyntaxNode; name?: SyntaxNode | null } | undefined {
  if (typeof step === 'number') {
    const value = itemsOf(node)[step]
    return value && { value }
  }
  const property = node.getChildren('Property').findLast((p) => nameOf(p, text) === step)
  const value = property?.lastChild
  return value ? { value, name: property?.getChild('PropertyName') } : undefined
}

function itemsOf(list: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let item = list.firstChild; item; item = item.nextSibling) if (/^[A-Z]/.test(item.name)) found.push(item)
  return found
}

function nameOf(property: SyntaxNode, text: string): string | undefined {
  const name = property.getChild('PropertyName')
  if (!name) return undefined
  try {
    return JSON.parse(text.slice(name.from, name.to))
  } catch {
    return undefined
  }
}

function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'type':
      return word('type', { types: fault.types.join(', ') })
    case 'value':
      return word('value', { values: fault.values.slice(0, 12).join(', ') })
    default:
      return word(fault.kind, { name: fault.name })
  }
}

/** What a schema allows at a position; undefined where it says nothing. */
export function jsonOffers(text: string, position: number, schema: unknown): Offers | undefined {
  const tree = parse(text)
  const token = tokenAt(tree, text, position)
  const before = text.slice(0, token.from).trimEnd()
  const sign = before.at(-1) ?? ''
  const container = containerOf(tree, before.length)
  const path = pathTo(container, text)
  const inList = container?.name === 'Array'
  const at = schemasAt(schema, path)
  const done = (offers: Offer[]) => (offers.length > 0 ? { from: token.from, to: token.to, offers } : undefined)
  if (sign === '{' || (sign === ',' && !inList))
    return done(nameOffers(membersOf(at, schema), container, text, token.to))
  if (sign === '[' || sign === ',') return done(valueOffers(below(at, itemsBefore(container, before.length), schema)))
  if (sign === '') return done(valueOffers(at))
  const name = sign === ':' && /"((?:[^"\\]|\\.)*)"\s*:$/.exec(before)?.[1]
  return typeof name === 'string' ? done(valueOffers(below(at, name, schema))) : undefined
}

/** The text that is completed: a string with its quotes, or a word that has none yet. */
function tokenAt(tree: Tree, text: string, position: number) {
  const node = tree.resolveInner(position, -1)
  if (/^(String|PropertyName)$/.test(node.name) && node.from < position) {
    const closed = node.to === position && text[position - 1] === '"' && position - node.from > 1
    if (!closed) return { from: node.from, to: node.to }
  }
  const quote = openQuote(text, position)
  if (quote >= 0) return { from: quote, to: position }
  const from = position - /[\w.$-]*$/.exec(text.slice(0, position))![0].length
  return { from, to: position }
}

/** Where a string begins that is not closed on its line. */
function openQuote(text: string, position: number): number {
  const line = text.lastIndexOf('\n', position - 1) + 1
  let open = -1
  for (let i = line; i < position; i++) {
    if (text[i] === '\\' && open >= 0) i++
    else if (text[i] === '"') open = open < 0 ? i : -1
  }
  return open
}

/** The object or list that a position lies in. */
function containerOf(tree: Tree, position: number): SyntaxNode | undefined {
  let node: SyntaxNode | null = tree.resolveInner(position, -1)
  while (node && !(/^(Object|Array)$/.test(node.name) && node.from < position)) node = node.parent
  return node ?? undefined
}

function pathTo(node: SyntaxNode | undefined, text: string): Step[] {
  const path: Step[] = []
  for (let at: SyntaxNode | null | undefined = node; at?.parent; at = at.parent) {
    if (at.parent.name === 'Property') path.unshift(nameOf(at.parent, text) ?? '')
    else if (at.parent.name === 'Array') path.unshift(itemsBefore(at.parent, at.from))
  }
  return path
}

const itemsBefore = (list: SyntaxNode | undefined, position: number): number =>
  list ? itemsOf(list).filter((item) => item.to <= position).length : 0

/** Names of members that an object does not have yet, with the beginning of their values. */
function nameOffers(members: Named[], object: SyntaxNode | undefined, text: string, end: number): Offer[] {
  const present = new Set(
    object?.getChildren('Property').map((p) => (p.to < end || p.from > end ? nameOf(p, text) : '')),
  )
  const named = /^\s*:/.test(text.slice(end))
  return members
    .filter((m) => !present.has(m.name))
    .map((m) => {
      const begun = named ? '' : beginOf(m.schemas)
      const insert = `${JSON.stringify(m.name)}${named ? '' : ': '}${begun}`
      return {
        label: m.name,
        insert,
        cursor: insert.length - begun.length / 2,
        kind: 'property' as const,
        again: !named && valuesOf(m.schemas).length > 0,
        detail: [m.required && word('required'), typesOf(m.schemas).join(', ')].filter(Boolean).join(' · '),
        first: m.required,
      }
    })
}

/** The signs around a value of a type, unless values are named. */
function beginOf(schemas: Schema[]): string {
  if (valuesOf(schemas).length > 0) return ''
  const signs: Record<string, string> = { string: '""', object: '{}', array: '[]' }
  return signs[typesOf(schemas)[0] ?? ''] ?? ''
}

function valueOffers(schemas: Schema[]): Offer[] {
  const values = valuesOf(schemas).map((value) => JSON.stringify(value))
  return values.map((insert) => ({ label: insert, insert, cursor: insert.length, kind: 'value' }))
}
