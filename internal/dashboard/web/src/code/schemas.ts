import { subscriberFields } from '../conditions/fields'
import ruleOperators from './rule-operators.json'

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
const own = { $ref: '#/$defs/schema' }
const ownList = { type: 'array', items: own }
const ownMap = { type: 'object', additionalProperties: own }
const count = { type: 'integer' }
const text = { type: 'string' }
const flag = { type: 'boolean' }

/** JSON Schema as far as payloads use it. Unknown words may stand in it. */
const schema = {
  ...own,
  $defs: {
    schema: {
      type: ['object', 'boolean'],
      properties: {
        type: { anyOf: [{ enum: types }, { type: 'array', items: { enum: types } }] },
        properties: ownMap,
        required: { type: 'array', items: text },
        additionalProperties: own,
        items: own,
        prefixItems: ownList,
        enum: { type: 'array' },
        const: {},
        default: {},
        examples: { type: 'array' },
        title: text,
        description: text,
        format: { ...text, examples: ['date-time', 'date', 'time', 'email', 'uri', 'uuid'] },
        pattern: text,
        minLength: count,
        maxLength: count,
        minimum: { type: 'number' },
        maximum: { type: 'number' },
        exclusiveMinimum: { type: 'number' },
        exclusiveMaximum: { type: 'number' },
        multipleOf: { type: 'number' },
        minItems: count,
        maxItems: count,
        uniqueItems: flag,
        minProperties: count,
        maxProperties: count,
        patternProperties: ownMap,
        allOf: ownList,
        anyOf: ownList,
        oneOf: ownList,
        not: own,
        $ref: text,
        $defs: ownMap,
      },
    },
  },
}

const logic = { $ref: '#/$defs/logic' }

/** JSON Logic over subscribers: an object with one operator, whose operands are rules again. */
const rule = {
  ...logic,
  $defs: {
    logic: {
      properties: Object.fromEntries(
        ruleOperators.map((name) => [
          name,
          name === 'var'
            ? { examples: ['', ...[...subscriberFields, 'data.'].map((field) => `subscriber.${field}`)] }
            : { anyOf: [{ type: 'array', items: logic }, logic] },
        ]),
      ),
      additionalProperties: false,
    },
  },
}

/** The schema of a value: a JSON Schema, or that of what has a name. */
export const schemaOf = (of: unknown): unknown => (of === 'schema' ? schema : of === 'rule' ? rule : of)
