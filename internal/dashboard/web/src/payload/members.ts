import { isRecord } from '../conditions/fields'

/** How a member of a payload is edited. */
export type Input = 'text' | 'number' | 'boolean' | 'choice' | 'json'

/** A member that a schema names. */
export type Member = {
  name: string
  input: Input
  required: boolean
  description?: string
  /** What the schema gives as its value, for the eye. */
  example?: string
  choices: readonly string[]
}

/** The members that a JSON Schema names; undefined when it names none, so that only JSON can say the payload. */
export function membersOf(schema: unknown): Member[] | undefined {
  if (!isRecord(schema) || schema.type !== 'object' || !isRecord(schema.properties)) return undefined
  const required = Array.isArray(schema.required) ? schema.required : []
  const members = Object.entries(schema.properties).map(([name, of]) => memberOf(name, of, required.includes(name)))
  return members.length > 0 ? members : undefined
}

function memberOf(name: string, schema: unknown, required: boolean): Member {
  const of = isRecord(schema) ? schema : {}
  const choices = Array.isArray(of.enum) && of.enum.every((v) => typeof v === 'string') ? (of.enum as string[]) : []
  const shown = of.default ?? (Array.isArray(of.examples) ? of.examples[0] : undefined)
  return {
    name,
    input: choices.length > 0 ? 'choice' : inputOf(of.type),
    required,
    description: typeof of.description === 'string' ? of.description : undefined,
    example: shown === undefined ? undefined : typeof shown === 'string' ? shown : JSON.stringify(shown),
    choices,
  }
}

const inputs: Record<string, Input> = { string: 'text', number: 'number', integer: 'number', boolean: 'boolean' }

const inputOf = (type: unknown): Input => (typeof type === 'string' && inputs[type]) || 'json'

/** How a member is edited that has a value: as JSON when its field could not show the value. */
export function inputFor(member: Member, value: unknown): Input {
  if (value === undefined) return member.input
  const fits: Record<Input, boolean> = {
    text: typeof value === 'string',
    number: typeof value === 'number',
    boolean: typeof value === 'boolean',
    choice: typeof value === 'string' && member.choices.includes(value),
    json: true,
  }
  return fits[member.input] ? member.input : 'json'
}

/** A payload with a member changed, or without it. */
export function setMember(payload: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  if (value !== undefined) return { ...payload, [name]: value }
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name))
}

/** What a payload has beside the members of its schema; undefined when there is nothing. */
export function others(payload: Record<string, unknown>, members: readonly Member[]) {
  const rest = Object.entries(payload).filter(([name]) => !members.some((m) => m.name === name))
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}

/** A payload whose members beside those of its schema are replaced. */
export const setOthers = (payload: Record<string, unknown>, members: readonly Member[], rest: unknown) => ({
  ...Object.fromEntries(Object.entries(payload).filter(([name]) => members.some((m) => m.name === name))),
  ...(isRecord(rest) ? rest : {}),
})
