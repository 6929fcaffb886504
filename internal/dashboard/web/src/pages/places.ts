import { isRecord } from '../conditions/fields'
import type { SnippetUsageQuery, VariableUser } from '../gql'

/** A record that uses something, and where in it. */
export type Place = { kind: VariableUser; name: string; path?: string; line?: number }

const pages: Record<VariableUser, string> = {
  WORKFLOW: '/workflows',
  LAYOUT: '/layouts',
  SNIPPET: '/snippets',
  INTEGRATION: '/integrations',
}

/** The address of a record that uses something. Integrations are found by their ids alone, so theirs is the list. */
export const placeAddress = ({ kind, name }: Place): string =>
  kind === 'INTEGRATION' ? pages[kind] : `${pages[kind]}/${encodeURIComponent(name)}`

/** What renders a snippet. */
export const snippetPlaces = ({ workflows, layouts, snippets }: SnippetUsageQuery['snippetUsage']): Place[] => [
  ...workflows.map(({ identifier }): Place => ({ kind: 'WORKFLOW', name: identifier })),
  ...layouts.map(({ identifier }): Place => ({ kind: 'LAYOUT', name: identifier })),
  ...snippets.map(({ identifier }): Place => ({ kind: 'SNIPPET', name: identifier })),
]

/** The tag that renders a snippet with the members of an object as its arguments. */
export function renderTag(identifier: string, example: unknown): string {
  const members = isRecord(example) ? Object.keys(example) : []
  const names = members.filter((name) => /^[A-Za-z]\w*$/.test(name))
  return `{% render "${identifier}"${names.map((name) => `, ${name}: payload.${name}`).join('')} %}`
}
