// Writes src/gql from the server's schema and the operations in src/**/*.graphql: types, and one constant each. The constants of each file
// are a module of their own, so that a page loads its own alone.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const files = read('src', '.graphql')
const generated = await codegen({
  schema: parse(print(sdl)),
  schemaAst: schema,
  documents: files,
  filename: 'src/gql/index.ts',
  config,
  plugins: [{ operations: {} }, { documents: {} }],
  pluginMap: { operations, documents },
})

// The constants of each module, which is named after the file of its operations, such as pages-activity. They contain their fragments.
const modules = new Map()
const moduleOf = new Map(
  files.flatMap(({ location, document }) => {
    const module = location.replace('.graphql', '').replaceAll('/', '-')
    return document.definitions.map(({ name }) => [name.value, module])
  }),
)
let ofDocuments
const types = generated
  .replace(/^import .* DocumentTypeDecoration .*\n/m, (line) => {
    ofDocuments = line
    return ''
  })
  .replace(/export class TypedDocumentString[\s\S]*?\n}\n/, (declared) => {
    ofDocuments += declared
    return ''
  })
  .replace(/export const \w+FragmentDoc = [^`]*`[^`]*`.*\n?/g, '')
  .replace(
    /export const (\w+)Document = ([^`]*`[^`]*`\)) as unknown as (\w+)<(\w+), (\w+)>;\n?/g,
    (_, name, made, ...type) => {
      const [document, result, variables] = type
      const constant = `export const ${name}Document = /* @__PURE__ */ ${made} as unknown as ${document}<t.${result}, t.${variables}>\n`
      const module = moduleOf.get(name)
      modules.set(module, (modules.get(module) ?? '') + constant)
      return ''
    },
  )
rmSync('src/gql', { recursive: true, force: true })
mkdirSync('src/gql')
writeFileSync('src/gql/document.ts', ofDocuments)
for (const [module, constants] of modules)
  writeFileSync(
    `src/gql/${module}.ts`,
    `import { TypedDocumentString } from './document'\nimport type * as t from './index'\n${constants}`,
  )
const all = ['document', ...modules.keys()].map((module) => `export * from './${module}'\n`)
writeFileSync('src/gql/index.ts', all.join('') + types)

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
