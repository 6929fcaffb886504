/** The chats whose markup differs. `other` is Markdown, as Mattermost, Rocket.Chat and Zulip show it. */
export type Client = 'slack' | 'discord' | 'teams' | 'whatsapp' | 'other'

/** The markup that is shown as an element of this name; `mark` is a mention of a person, or what is hidden until it is pressed. */
export type Tag = 'strong' | 'em' | 's' | 'u' | 'code' | 'pre' | 'a' | 'mark' | 'blockquote' | 'li' | 'h4' | 'div'

export type Marked = string | { tag: Tag; href?: string; of: Marked[] }

/** The most characters that a chat takes; longer texts are refused, or cut. */
export const longest: Partial<Record<Client, number>> = { slack: 40_000, discord: 2000, whatsapp: 4096 }

/** The chat of the first provider that one of these is like; Slack without any. */
export function clientOf(providers: readonly string[]): Client {
  const [first] = providers
  if (!first) return 'slack'
  const kind = /slack|discord|msteams|whatsapp/.exec(first)?.[0]
  return kind === 'msteams' ? 'teams' : ((kind as Client | undefined) ?? 'other')
}

/** Reports whether Teams is sent a text as the object that it is. */
export function isCard(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

type Rule = { tag?: Tag; of: RegExp; href?: (m: RegExpExecArray) => string; text?: (m: RegExpExecArray) => string }

// Each mark is looked for no further than 1000 characters, an address no further than 2000, so that the time grows with the text and not
// with its square.

// Text between two marks at the edges of words; it is not empty and neither begins nor ends with a space.
const around = (mark: string, tag: Tag): Rule => {
  const [each, whole] = [mark[0]!, mark].map((m) => m.replace(/[*|]/g, '\\$&'))
  return {
    tag,
    of: new RegExp(
      `(?<![\\w${each}])${whole}(?=[^\\s${mark.length === 1 ? each : ''}])([^\\n]{1,1000}?)(?<=\\S)${whole}(?![\\w${each}])`,
    ),
  }
}
const code: Rule = { tag: 'code', of: /`([^`\n]+)`/ }
const escaped: Rule = { of: /\\([^\w\s])/ }
const address: Rule = {
  tag: 'a',
  of: /(https?:\/\/[^\s<>]*[^\s<>.,;:!?)\]'"*_~|])/,
  href: (m) => m[1]!,
}
const named: Rule = {
  tag: 'a',
  of: /\[([^\]\n]{1,1000})\]\(((?:https?:\/\/|mailto:)[^)\s]{1,2000})\)/,
  href: (m) => m[2]!,
}
const bold = around('**', 'strong')
const italic = [around('*', 'em'), around('_', 'em')]

const rules: Record<Client, readonly Rule[]> = {
  slack: [
    code,
    {
      tag: 'a',
      of: /<((?:https?:\/\/|mailto:|tel:)[^|>\s]{1,2000})(?:\|([^>\n]{1,1000}))?>/,
      href: (m) => m[1]!,
      text: (m) => m[2] ?? m[1]!,
    },
    {
      tag: 'mark',
      of: /<([@#!])([\w^-]{1,100})(?:\|([^>\n]{1,1000}))?>/,
      text: (m) => (m[1] === '#' ? '#' : '@') + (m[3] ?? m[2]!),
    },
    address,
    around('*', 'strong'),
    around('_', 'em'),
    around('~', 's'),
  ],
  discord: [
    escaped,
    code,
    named,
    { tag: 'a', of: /<(https?:\/\/[^>\s]{1,2000})>/, href: (m) => m[1]! },
    address,
    bold,
    around('__', 'u'),
    ...italic,
    around('~~', 's'),
    around('||', 'mark'),
  ],
  teams: [escaped, named, address, bold, around('_', 'em')],
  whatsapp: [code, address, around('*', 'strong'), around('_', 'em'), around('~', 's')],
  other: [escaped, code, named, address, bold, around('__', 'strong'), ...italic, around('~~', 's')],
}

const anyOf = Object.fromEntries(
  Object.entries(rules).map(([client, of]) => [
    client,
    new RegExp(of.map((r) => r.of.source.replace(/(?<!\\)\((?!\?)/g, '(?:')).join('|'), 'g'),
  ]),
) as Record<Client, RegExp>

const headings: readonly Client[] = ['discord', 'other']
const lists: Record<Client, RegExp | undefined> = {
  slack: undefined,
  discord: /^\s*[-*] (.+)/,
  teams: /^\s*[-*] (.+)/,
  whatsapp: /^[-*] (.+)/,
  other: /^\s*[-*+] (.+)/,
}

/** The characters of a text that are shown with their markup; the rest is shown as it is written. */
const marks = 40_000

/** The text of a chat message as a chat shows it. */
export function markup(text: string, client: Client): Marked[] {
  if (text.length > marks) return [...markup(text.slice(0, marks), client), { tag: 'div', of: [text.slice(marks)] }]
  if (client === 'teams') return lines(text, client)
  return text.split(/```(?:\w+\n)?([\s\S]+?)```/).flatMap((part, i): Marked[] => {
    if (i % 2 === 1) return [{ tag: 'pre', of: [plain(part.trim(), client)] }]
    return lines(part, client)
  })
}

function lines(text: string, client: Client): Marked[] {
  return text === ''
    ? []
    : text
        .replace(/^\n|\n$/g, '')
        .split('\n')
        .map((line) => block(line, client))
}

function block(line: string, client: Client): Marked {
  const quoted = client !== 'teams' && /^(?:>|&gt;) ?(.+)/.exec(line)?.[1]
  if (quoted) return { tag: 'blockquote', of: inline(quoted, client) }
  const heading = headings.includes(client) && /^#{1,3} (.+)/.exec(line)?.[1]
  if (heading) return { tag: 'h4', of: inline(heading, client) }
  const item = lists[client]?.exec(line)?.[1]
  return item ? { tag: 'li', of: inline(item, client) } : { tag: 'div', of: inline(line, client) }
}

/** Marks deeper than this are shown as they are written. */
const deepest = 8

function inline(text: string, client: Client, depth = 0): Marked[] {
  if (depth === deepest) return [plain(text, client)]
  const out: Marked[] = []
  let end = 0
  for (const { 0: part, index } of text.matchAll(anyOf[client])) {
    if (index > end) out.push(plain(text.slice(end, index), client))
    out.push(marked(part, client, depth))
    end = index + part.length
  }
  if (end < text.length) out.push(plain(text.slice(end), client))
  return out
}

function marked(part: string, client: Client, depth: number): Marked {
  for (const rule of rules[client]) {
    const m = rule.of.exec(part)
    if (m?.[0] !== part) continue
    const inner = rule.text?.(m) ?? m[1]!
    if (!rule.tag) return inner
    const asIs = rule.tag === 'code' || (rule.href && rule !== named)
    return {
      tag: rule.tag,
      ...(rule.href && { href: rule.href(m) }),
      of: asIs ? [plain(inner, client)] : inline(inner, client, depth + 1),
    }
  }
  return plain(part, client)
}

/** Slack has three characters that are written as entities. */
const plain = (text: string, client: Client) =>
  client === 'slack' ? text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') : text
