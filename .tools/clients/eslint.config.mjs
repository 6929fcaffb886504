// The rules of @graphql-eslint for schemas and for Relay, on the schema as it is published.
import graphql from '@graphql-eslint/eslint-plugin'

const { rules: recommended } = graphql.configs['flat/schema-recommended']
const { rules: relay } = graphql.configs['flat/schema-relay']
const schema = 'graph/schema.graphql'
/** A name in camel case, or that of a provider's credential in the documented API. */
const camelCase = { style: 'camelCase', ignorePattern: '^AppIOBaseUrl$' }

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema } } },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...recommended,
      ...relay,
      // Values, edges and payloads have no identity; what has one implements Node, whose id the language requires.
      '@graphql-eslint/strict-id-in-types': 'off',
      // subscriberId and digestKey are words of the documented API: what the operator calls the record, beside its own id.
      '@graphql-eslint/no-typename-prefix': 'off',
      '@graphql-eslint/naming-convention': ['error', { ...recommended['@graphql-eslint/naming-convention'][1], FieldDefinition: camelCase, InputValueDefinition: camelCase }],
      // Lists of values and of a few records are plain lists, and connections offer nodes beside edges; a missing translation has no identity, so no Node.
      '@graphql-eslint/relay-edge-types': ['error', { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false }],
    },
  },
]
