import assert from 'node:assert/strict'
import test from 'node:test'
import { breaking, hasty } from './compatible.mjs'

const schema = `
  type Query {
    message(id: ID!, full: Boolean): Message
    old(kind: OldKind): Old @deprecated(reason: "Use message. Leaves after 2027-01-31.")
    older: String @deprecated(reason: "Use message.")
    target: Target
  }
  type Mutation { send(input: SendInput!): Message }
  type Message { id: ID! status: Status! text: String }
  enum Status { SENT FAILED LOST @deprecated(reason: "Never used. Leaves after 2027-01-31.") }
  type Old { name: String }
  enum OldKind { A }
  type Mail { address: String }
  type Phone { number: String }
  union Target = Mail | Phone
  input SendInput { text: String to: ID spare: Int @deprecated(reason: "Ignored. Leaves after 2027-01-31.") }
`
const changed = (...replacements) => replacements.reduce((sdl, [from, to]) => {
  assert.ok(sdl.includes(from), from)
  return sdl.replace(from, to)
}, schema)
const [before, after] = [new Date('2027-01-31T23:00:00Z'), new Date('2027-02-01T00:00:00Z')]

const additions = {
  'nothing': [],
  'a field': ['text: String', 'text: String more: Int'],
  'an optional argument': ['full: Boolean', 'full: Boolean more: Int'],
  'a required argument with a default': ['full: Boolean', 'full: Boolean more: Int! = 1'],
  'an enum value': ['SENT', 'SENT QUEUED'],
  'a member of a union': ['Mail | Phone', 'Mail | Phone | Message'],
  'an optional member of an input': ['to: ID', 'to: ID more: Int'],
  'a field that is never null any more': ['text: String', 'text: String!'],
  'an argument that is optional now': ['id: ID!', 'id: ID'],
  'a deprecation': ['text: String', 'text: String @deprecated(reason: "Use content.")'],
}
for (const [name, replacement] of Object.entries(additions))
  test(`${name} is no break`, async () => assert.deepEqual(await breaking(schema, changed(...(replacement.length ? [replacement] : [])), before), []))

const breaks = {
  'a field that left': ['text: String }', '}', 'Message.text'],
  'another type': ['text: String }', 'text: Int }', 'Message.text'],
  'a field that may be null now': ['status: Status!', 'status: Status', 'Message.status'],
  'a type that left': ['type Phone { number: String }\n  union Target = Mail | Phone', 'union Target = Mail', 'Phone'],
  'an enum value that left': ['SENT FAILED', 'SENT', 'Status.FAILED'],
  'an argument that left': [', full: Boolean', '', 'Query.message.full'],
  'a new required argument': ['full: Boolean', 'full: Boolean more: Int!', 'Query.message.more'],
  'an argument that is required now': ['full: Boolean', 'full: Boolean!', 'Query.message.full'],
  'a new required member of an input': ['to: ID', 'to: ID more: Int!', 'SendInput.more'],
  'a member of a union that left': ['Mail | Phone', 'Mail', 'Target'],
  'members that became exclusive': ['input SendInput', 'input SendInput @oneOf', 'SendInput.@oneOf'],
  'a deprecated part without a date that left': ['older: String @deprecated(reason: "Use message.")', '', 'Query.older'],
}
for (const [name, [from, to, path]] of Object.entries(breaks))
  test(`${name} is a break`, async () => {
    const found = await breaking(schema, changed([from, to]), before)
    assert.ok(found.some((problem) => problem.startsWith(`${path}: `)), JSON.stringify(found))
  })

test('deprecated parts may leave after their day, with the types that only they led to', async () => {
  const without = changed(
    ['old(kind: OldKind): Old @deprecated(reason: "Use message. Leaves after 2027-01-31.")', ''],
    ['LOST @deprecated(reason: "Never used. Leaves after 2027-01-31.")', ''],
    ['spare: Int @deprecated(reason: "Ignored. Leaves after 2027-01-31.")', ''],
    ['type Old { name: String }', ''],
    ['enum OldKind { A }', ''],
  )
  assert.deepEqual(await breaking(schema, without, after), [])
  const paths = (await breaking(schema, without, before)).map((problem) => problem.split(': ')[0])
  for (const path of ['Query.old', 'Status.LOST', 'SendInput.spare']) assert.ok(paths.includes(path), path)
  assert.deepEqual(await breaking(schema, schema, after), [], 'or stay')
})

test('a release refuses a new deprecation that leaves too soon', () => {
  const next = (day) => changed(['text: String }', `text: String @deprecated(reason: "Use content. Leaves after ${day}.") }`])
  const now = new Date('2027-01-01T00:00:00Z')
  assert.deepEqual(hasty(schema, next('2027-06-01'), now), ['Message.text'])
  assert.deepEqual(hasty(schema, next('2027-07-01'), now), [])
  assert.deepEqual(hasty(schema, schema, now), [], 'what the last release had is not new')
})
