import type { FilterValue } from '../gql'
import { isRecord } from './fields'
import type { Group, Operator, Part } from './groups'
import { listOf, type Scalar, scalarOf, textOf, textOfList } from './values'

/** A rule as conditions: groups that are joined by AND or OR. */
export type Rule = { join: FilterValue; groups: Group[] }

/** An expression of JSON Logic. */
type Logic = unknown

const prefix = 'subscriber.'
const one = { var: '' }
const operation = (name: string, ...operands: Logic[]): Logic => ({ [name]: operands })
const not = (logic: Logic) => operation('!', logic)
const joined = (join: FilterValue, all: Logic[]): Logic =>
  all.length === 1 ? all[0] : { [join === 'OR' ? 'or' : 'and']: all }

const compared: Partial<Record<Operator, string>> = {
  EQUAL: '==',
  NOT_EQUAL: '!=',
  IDENTICAL: '===',
  NOT_IDENTICAL: '!==',
  LARGER: '>',
  SMALLER: '<',
  LARGER_EQUAL: '>=',
  SMALLER_EQUAL: '<=',
}
const operatorOf = new Map(Object.entries(compared).map(([operator, sign]) => [sign, operator as Operator]))

/** The rule of conditions; null when there are none. */
export function writeRule({ join, groups }: Rule): Record<string, unknown> | null {
  if (groups.length === 0) return null
  return joined(join, groups.map(writeGroup)) as Record<string, unknown>
}

function writeGroup({ isNegated, value, children }: Group): Logic {
  const logic = joined(value ?? 'AND', children.map(writePart))
  return isNegated ? not(logic) : logic
}

function writePart({ field, operator, value }: Part): Logic {
  const of = { var: prefix + field }
  const sign = compared[operator]
  if (sign) return operation(sign, of, scalarOf(value))
  switch (operator) {
    case 'SET':
      return operation('!!', of)
    case 'NOT_SET':
      return not(of)
    case 'IN':
      return operation('in', of, listOf(value))
    case 'NOT_IN':
      return not(operation('in', of, listOf(value)))
    case 'ANY_IN':
      return operation('some', of, operation('in', one, listOf(value)))
    case 'ALL_IN':
      return joined(
        'AND',
        listOf(value).map((v) => operation('in', v, of)),
      )
    case 'LIKE':
      return operation('in', scalarOf(value), of)
    case 'NOT_LIKE':
      return not(operation('in', scalarOf(value), of))
    default: {
      const [low = null, high = null] = listOf(value)
      const between = operation('<=', low, of, high)
      return operator === 'BETWEEN' ? between : not(between)
    }
  }
}

/** A rule as conditions; undefined for one that they cannot say, down to each value. */
export function readRule(rule: unknown): Rule | undefined {
  if (rule == null) return { join: 'AND', groups: [] }
  const plain = simple(rule)
  const read = readGroups(plain)
  return read && same(simple(writeRule(read)), plain) ? read : undefined
}

/** An expression with the operands of each operation as a list, and without and and or of one. */
function simple(logic: Logic): Logic {
  const [name, operands] = parts(logic)
  if (name === undefined) return logic
  if (name === 'var') return operands.length === 1 ? { var: operands[0] } : logic
  const all = operands.map(simple)
  return (name === 'and' || name === 'or') && all.length === 1 ? all[0] : operation(name, ...all)
}

/** The name of an operation and its operands; undefined for what is none. */
function parts(logic: Logic): [string | undefined, Logic[]] {
  if (!isRecord(logic)) return [undefined, []]
  const [entry, more] = Object.entries(logic)
  if (!entry || more) return [undefined, []]
  return [entry[0], Array.isArray(entry[1]) ? entry[1] : [entry[1]]]
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function readGroups(logic: Logic): Rule | undefined {
  const whole = readGroup(logic)
  if (whole) return { join: 'AND', groups: [whole] }
  const [name, operands] = parts(logic)
  if (name !== 'and' && name !== 'or') return undefined
  const groups = every(operands, readGroup)
  return groups && { join: name === 'or' ? 'OR' : 'AND', groups }
}

function readGroup(logic: Logic): Group | undefined {
  const plain = readJoined(logic)
  if (plain) return plain
  const [name, [negated]] = parts(logic)
  const group = name === '!' ? readJoined(negated) : undefined
  return group && { ...group, isNegated: true }
}

function readJoined(logic: Logic): Group | undefined {
  const part = readPart(logic)
  if (part) return { isNegated: false, type: 'GROUP', value: 'AND', children: [part] }
  const [name, operands] = parts(logic)
  if (name !== 'and' && name !== 'or') return undefined
  const children = every(operands, readPart)
  return children && { isNegated: false, type: 'GROUP', value: name === 'or' ? 'OR' : 'AND', children }
}

function readPart(logic: Logic): Part | undefined {
  const [name, operands] = parts(logic)
  if (name === '!') return readNegated(operands[0])
  if (name === '!!') return part('SET', operands[0], '')
  if (name === 'in') return readIn(operands)
  if (name === 'and') return readAll(operands)
  if (name === 'some') {
    const list = readList(parts(operands[1])[1][1])
    return list === undefined ? undefined : part('ANY_IN', operands[0], list)
  }
  if (name === '<=' && operands.length === 3) {
    const list = readList([operands[0], operands[2]])
    return list === undefined ? undefined : part('BETWEEN', operands[1], list)
  }
  const operator = name === undefined ? undefined : operatorOf.get(name)
  return operator && isScalar(operands[1]) ? part(operator, operands[0], textOf(operands[1])) : undefined
}

const opposite: Partial<Record<Operator, Operator>> = { IN: 'NOT_IN', LIKE: 'NOT_LIKE', BETWEEN: 'NOT_BETWEEN' }

function readNegated(logic: Logic): Part | undefined {
  const unset = part('NOT_SET', logic, '')
  if (unset) return unset
  const positive = readPart(logic)
  const operator = positive && opposite[positive.operator]
  return operator && { ...positive, operator }
}

function readIn([what, where]: Logic[]): Part | undefined {
  const list = readList(where)
  if (list !== undefined) return part('IN', what, list)
  return isScalar(what) ? part('LIKE', where, textOf(what)) : undefined
}

/** Several values that are all in the same field. */
function readAll(operands: Logic[]): Part | undefined {
  const all = every(operands, (o) => {
    const [name, [value, of]] = parts(o)
    return name === 'in' && isScalar(value) && fieldOf(of) !== undefined ? { value, of } : undefined
  })
  if (!all?.[1] || all.some((a) => fieldOf(a.of) !== fieldOf(all[0]?.of))) return undefined
  return part('ALL_IN', all[0]?.of, textOfList(all.map((a) => a.value)))
}

function part(operator: Operator, of: Logic, value: string): Part | undefined {
  const field = fieldOf(of)
  return field === undefined ? undefined : { on: 'SUBSCRIBER', field, operator, value }
}

function fieldOf(logic: Logic): string | undefined {
  const [name, [path]] = parts(logic)
  return name === 'var' && typeof path === 'string' && path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

const isScalar = (v: unknown): v is Scalar => v === null || ['string', 'number', 'boolean'].includes(typeof v)

const readList = (v: unknown): string | undefined => (Array.isArray(v) && v.every(isScalar) ? textOfList(v) : undefined)

/** What read makes of each; undefined when it makes nothing of one, or when there is none. */
function every<T>(all: Logic[], read: (logic: Logic) => T | undefined): T[] | undefined {
  const made = all.map(read)
  return made.length > 0 && made.every((m) => m !== undefined) ? made : undefined
}
