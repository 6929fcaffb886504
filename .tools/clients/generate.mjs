// Writes gql.ts from the published schema and operations.graphql with GraphQL Code Generator: all types, and one typed
// document for each operation.
import { codegen } from '@graphql-codegen/core'
import * as operations from '@graphql-codegen/typescript-operations'
import * as documents from '@graphql-codegen/typed-document-node'
import { buildSchema, parse } from 'graphql'
import { readFileSync, writeFileSync } from 'node:fs'

const sdl = readFileSync('../../graph/schema.graphql', 'utf8')
writeFileSync(
  'gql.ts',
  await codegen({
    schema: parse(sdl),
    schemaAst: buildSchema(sdl), // fails unless it is valid by the specification's own words
    documents: [{ location: 'operations.graphql', document: parse(readFileSync('operations.graphql', 'utf8')) }],
    filename: 'gql.ts',
    config: { useTypeImports: true, enumsAsTypes: true, scalars: { Time: 'string', JSON: 'Record<string, unknown>', ID: 'string' } },
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents },
  }),
)
