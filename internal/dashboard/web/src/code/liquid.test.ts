import { expect, test } from 'vitest'
import type { Template } from './knowledge'
import { insideLiquid, liquidOffers } from './liquid'
import { templateMarks } from './marks'

const step: Template = {
  place: 'step',
  earlier: ['digest', 'ask'],
  payloadSchema: {
    properties: {
      count: { type: 'integer' },
      items: { type: 'array', items: { properties: { sku: { type: 'string' }, price: { type: 'number' } } } },
    },
    required: ['count'],
  },
}
const names = { variables: ['BASE_URL'], snippets: ['footer', 'header'], keys: ['cart.items', 'hello'] }

/** What is offered at the sign | of a text; a pipe is written as ¦. */
const offered = (text: string, sees = step) => {
  const plain = text.replace('|', '').replaceAll('¦', '|')
  return liquidOffers(plain, text.indexOf('|'), sees, names)?.offers.map((o) => o.label)
}

test('objects and tags are told from what is around them', () => {
  expect(insideLiquid('a {{ b', 6)).toEqual({ tag: false, from: 4 })
  expect(insideLiquid('{%- if a', 8)).toEqual({ tag: true, from: 2 })
  expect(insideLiquid('{{ a }} b', 9)).toBeUndefined()
  expect(insideLiquid('{ a', 3)).toBeUndefined()
  expect(offered('Hello |')).toBeUndefined()
})

test('variables and their members are offered', () => {
  expect(offered('{{ |')).toEqual(['subscriber', 'payload', 'actor', 'tenant', 'context', 'step', 'steps', 'env'])
  expect(offered('{% if a == p|')).toContain('payload')
  expect(offered('{{ subscriber.fi|')).toContain('firstName')
  expect(offered('{{ payload.|}}')).toEqual(['count', 'items'])
  expect(offered('{{ payload.items.first.|')).toEqual(['sku', 'price'])
  expect(offered('{{ payload.items[0].s|')).toEqual(['sku', 'price'])
  expect(offered('{{ payload.items.|')).toEqual(['size', 'first', 'last'])
  expect(offered('{{ steps.|')).toEqual(['digest', 'ask'])
  expect(offered('{{ env.|')).toEqual(['BASE_URL'])
  expect(offered('{{ nothing.|')).toBeUndefined()
})

test('names that a template gives are offered with what they stand for', () => {
  expect(offered('{% for item in payload.items %}{{ item.|')).toEqual(['sku', 'price'])
  expect(offered('{% assign all = payload.items %}{% for a in all %}{{ a.|')).toEqual(['sku', 'price'])
  expect(offered('{% capture head %}x{% endcapture %}{{ |')![0]).toBe('head')
  expect(offered('{% for a in a %}{{ a.|')).toBeUndefined()
  expect(offered('{% for x in y %}{{ forloop.|')).toContain('index')
  expect(offered('{% for it|')).toBeUndefined()
})

test('each line of the tag liquid is a tag', () => {
  expect(offered('{% liquid\n  ass|')).toContain('assign')
  expect(offered('{% liquid\n  assign a = payload.items\n  echo a.|')).toEqual(['size', 'first', 'last'])
  expect(offered('{% liquid\n  for x in payload.items\n    echo x.|')).toEqual(['sku', 'price'])
  expect(offered('{% liquid\n echo a ¦ up|')).toContain('upcase')
  expect(offered('{% liq|')).toContain('liquid')
  expect(offered('{% tablerow x in y %}{{ tablerowloop.|')).toContain('col_first')
})

test('tags and filters are those of Carillon', () => {
  expect(offered('{% ren|')).toContain('render')
  expect(offered('{%- |')).not.toContain('include')
  expect(offered('{{ a ¦ |')).toContain('local_date')
  const filters = liquidOffers('{{ a | ', 7, step, names)!.offers
  expect(filters.find((o) => o.label === 'default')!.insert).toBe('default: ')
  expect(filters.find((o) => o.label === 'upcase')!.insert).toBe('upcase')
})

test('snippets and keys of translations are offered in quotes', () => {
  expect(offered('{% render "fo|" %}')).toEqual(['footer', 'header'])
  expect(offered("{{ '|' ¦ t }}")).toEqual(['cart.items', 'hello'])
  expect(offered('{{ a ¦ default: "|" }}')).toBeUndefined()
  expect(offered('{% render "footer", year: "|" %}')).toBeUndefined()
})

test('a layout sees its content, a snippet only the environment', () => {
  expect(offered('{{ |', { place: 'layout' })).toContain('content')
  expect(offered('{{ |', { place: 'snippet' })).toEqual(['env'])
  expect(offered('{{ subscriber.|', { place: 'snippet' })).toBeUndefined()
})

const text = '<p>\n  {% if %}\n{{ payload.x }} {{ payload.xy }}\n</p>'
const marked = (messages: string, issues?: Template['issues']) =>
  templateMarks(text, messages, issues).map(({ from, to, severity, message }) => [
    text.slice(from, to),
    severity,
    message,
  ])

test('what the server says is marked on the line or at the variable that it names', () => {
  expect(marked('html is no valid template: template line 2: syntax error')).toEqual([
    ['{% if %}', 'error', 'syntax error'],
  ])
  expect(marked('must not be empty')).toEqual([])
  expect(marked('template line 99: gone')).toEqual([])
  const issue = { message: 'The payload schema has no payload.x.', variableName: 'payload.x' }
  expect(marked('', [issue])).toEqual([['payload.x', 'warning', issue.message]])
  const broken = { message: 'template line 2: syntax error', variableName: '' }
  expect(marked('', [broken])).toEqual([['{% if %}', 'warning', 'syntax error']])
  expect(marked('x: template line 2: syntax error', [broken])).toHaveLength(1)
})
