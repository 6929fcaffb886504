// Writes src/gql.ts from the server's schema and the operations in src/**/*.graphql: types, and one constant each.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as documents from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import { buildASTSchema, concatAST, parse, print } from 'graphql'

const read = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => ({ location: name, document: parse(readFileSync(join(folder, name), 'utf8')) }))

const sdl = concatAST(read('../../../graph', '.graphqls').map((file) => file.document))
const schema = buildASTSchema(sdl, { assumeValidSDL: true })

const config = {
  documentMode: 'string',
  dedupeFragments: true,
  enumsAsTypes: true,
  useTypeImports: true,
  skipTypename: true,
  avoidOptionals: { field: true },
  scalars: { Time: 'string', JSON: 'unknown', StringMap: 'Record<string, string>', ID: 'string' },
}

writeFileSync(
  'src/gql.ts',
  await codegen({
    schema: parse(print(sdl)),
    schemaAst: schema,
    documents: read('src', '.graphql'),
    filename: 'src/gql.ts',
    config,
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents },
  }),
)
