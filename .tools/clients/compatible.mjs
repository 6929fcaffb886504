// Compares the GraphQL schema with that of the last release, and fails on what breaks clients: internal/docs/compatibility.md
// is the policy. `node compatible.mjs release` makes the present schema that of the last release.
import { diff } from '@graphql-inspector/core'
import { pruneSchema } from '@graphql-tools/utils'
import { buildASTSchema, parse, valueFromAST, GraphQLString, visit } from 'graphql'
import { copyFileSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const released = '../../graph/testdata/released.graphql'
const present = '../../graph/schema.graphql'
const notice = 180 * 24 * 60 * 60 * 1000

/** The instant after which a part may leave, or undefined when it is not deprecated or its reason names no date. */
function leaves(node) {
  const deprecated = node.directives?.find(({ name }) => name.value === 'deprecated')
  const reason = deprecated?.arguments?.find(({ name }) => name.value === 'reason')
  const day = reason && /Leaves after (\d{4}-\d\d-\d\d)\.$/.exec(valueFromAST(reason.value, GraphQLString) ?? '')?.[1]
  return day && new Date(`${day}T24:00:00Z`)
}

/** The schema without the parts whose day has passed, and without the types that only they led to. */
const remaining = (sdl, now) =>
  pruneSchema(buildASTSchema(visit(parse(sdl), { enter: (node) => (leaves(node) <= now ? null : undefined) })))

/** The changes from one schema to another that break clients. */
export async function breaking(before, after, now = new Date()) {
  const changes = await diff(remaining(before, now), buildASTSchema(parse(after)))
  return changes.filter(({ criticality }) => criticality.level === 'BREAKING').map(({ path, message }) => `${path}: ${message}`)
}

/** The parts that are deprecated since the last release and leave sooner than the policy says. */
export function hasty(before, after, now = new Date()) {
  const days = (sdl) => {
    const found = new Map()
    const path = []
    visit(parse(sdl), {
      enter(node) {
        if (!node.name || node.kind === 'Directive') return
        path.push(node.name.value)
        const day = leaves(node)
        if (day) found.set(path.join('.'), day)
      },
      leave(node) {
        if (node.name && node.kind !== 'Directive') path.pop()
      },
    })
    return found
  }
  const known = days(before)
  return [...days(after)].filter(([path, day]) => !known.has(path) && day - now < notice).map(([path]) => path)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [before, after] = [released, present].map((file) => readFileSync(file, 'utf8'))
  const release = process.argv[2] === 'release'
  const problems = release ? hasty(before, after).map((path) => `${path}: leaves less than 180 days after this release`) : await breaking(before, after)
  for (const problem of problems) console.error(`graph/schema.graphql: ${problem}`)
  if (problems.length > 0) process.exit(1)
  if (release) copyFileSync(present, released)
}
