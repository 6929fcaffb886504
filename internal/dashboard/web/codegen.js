// Writes gql.ts from the server's schema and the operations in src/**/*.graphql: types, and one constant each. Those in src/images and
// src/previews have one of their own, since src/gql.ts is loaded with the frame of the page.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as documents from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import { buildASTSchema, concatAST, Kind, parse, print, visit } from 'graphql'

const read = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => ({ location: name, document: parse(readFileSync(join(folder, name), 'utf8')) }))

// A look-up is null only with an error, which request throws: whoever has its data has the record. These three are null
// without an error.
const nullable = ['node', 'inboxStateBySubscriber', 'imagesUrl']
const present = (field) =>
  field.type.kind === Kind.NON_NULL_TYPE || nullable.includes(field.name.value)
    ? field
    : { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } }
const lookUps = (type) => (type.name.value === 'Query' ? { ...type, fields: type.fields.map(present) } : undefined)

const published = concatAST(read('../../../graph', '.graphqls').map((file) => file.document))
const sdl = visit(published, { ObjectTypeDefinition: lookUps, ObjectTypeExtension: lookUps })
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

const generate = (filename, documentsOf) =>
  codegen({
    schema: parse(print(sdl)),
    schemaAst: schema,
    documents: documentsOf,
    filename,
    config,
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents },
  })

const apart = ['images', 'previews']
const within = (folder) => (file) => file.location.startsWith(`${folder}/`)
const all = read('src', '.graphql')
writeFileSync(
  'src/gql.ts',
  await generate(
    'src/gql.ts',
    all.filter((file) => !apart.some((folder) => within(folder)(file))),
  ),
)
for (const folder of apart) {
  const own = await generate(`src/${folder}/gql.ts`, all.filter(within(folder)))
  const shared = own
    .replace(/export class TypedDocumentString[\s\S]*?\n}\n/, '')
    .replace(/^import .* DocumentTypeDecoration .*\n/m, '')
  writeFileSync(`src/${folder}/gql.ts`, `import { TypedDocumentString } from '../gql'\n${shared}`)
}
