// Writes gql.ts from the server's schema and the operations in src/**/*.graphql: types, and one constant each. Those in src/images and
// src/previews have one of their own, since src/gql.ts is loaded with the frame of the page.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as documents from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import {
  buildASTSchema,
  concatAST,
  isEnumType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  Kind,
  parse,
  print,
  visit,
} from 'graphql'

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

const scalars = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  String: { type: 'string' },
  ID: { type: 'string' },
  Time: { type: 'string' },
  StringMap: { type: 'object', additionalProperties: { type: 'string' } },
}

/** The JSON Schema of an input; names of inputs are those of the server's schema. */
function jsonSchema(input) {
  const $defs = {}
  const present = (type) => {
    if (isListType(type)) return { type: 'array', items: value(type.ofType) }
    if (isEnumType(type)) return { enum: type.getValues().map((one) => one.name) }
    if (isScalarType(type)) return scalars[type.name] ?? {}
    if (!(type.name in $defs)) {
      const fields = Object.values(type.getFields())
      $defs[type.name] = {} // while its fields lead back to it
      $defs[type.name] = {
        type: 'object',
        properties: Object.fromEntries(fields.map((field) => [field.name, value(field.type)])),
        required: fields.filter(isRequiredInputField).map((field) => field.name),
        additionalProperties: false,
      }
    }
    return { $ref: `#/$defs/${type.name}` }
  }
  const value = (type) => (isNonNullType(type) ? present(type.ofType) : { anyOf: [present(type), { type: 'null' }] })
  return { ...present(schema.getType(input)), $defs }
}
writeFileSync('src/editor/definition.json', JSON.stringify(jsonSchema('WorkflowDefinitionInput')))
