import { expect, test } from 'vitest'
import { type Client, clientOf, isCard, type Marked, markup } from './markup'

/** Markup as HTML, without the element of a line. */
const html = (of: readonly Marked[]): string =>
  of
    .map((m) => {
      if (typeof m === 'string') return m
      if (m.tag === 'div') return `${html(m.of)}/`
      return `<${m.tag}${m.href ? ` ${m.href}` : ''}>${html(m.of)}</>`
    })
    .join('')

test.each<[Client, string, string]>([
  ['slack', '*bold* _em_ ~gone~ `a*b*c`', '<strong>bold</> <em>em</> <s>gone</> <code>a*b*c</>/'],
  ['slack', '**two** and a*b*c and * not *', '**two** and a*b*c and * not */'],
  ['slack', '*bold _and em_*', '<strong>bold <em>and em</></>/'],
  ['slack', 'See <https://a.example/x|our *page*>.', 'See <a https://a.example/x>our *page*</>./'],
  ['slack', 'See https://a.example/a_b_c.', 'See <a https://a.example/a_b_c>https://a.example/a_b_c</>./'],
  ['slack', '<@U1|ann> <!here> <#C1|news>', '<mark>@ann</> <mark>@here</> <mark>#news</>/'],
  ['slack', '1 &lt; 2 &amp; 3', '1 < 2 & 3/'],
  ['slack', '> quoted\n- no list', '<blockquote>quoted</>- no list/'],
  ['slack', 'a\n```x *y*```\nb', 'a/<pre>x *y*</>b/'],
  ['slack', '<javascript:alert(1)|press>', '<javascript:alert(1)|press>/'],
  ['discord', '**bold** *em* _em_ __under__ ~~gone~~', '<strong>bold</> <em>em</> <em>em</> <u>under</> <s>gone</>/'],
  [
    'discord',
    '[page](https://a.example) ||secret|| \\*as it is\\*',
    '<a https://a.example>page</> <mark>secret</> *as it is*/',
  ],
  ['discord', '# Title\n- one\n- **two**', '<h4>Title</><li>one</><li><strong>two</></>'],
  ['discord', '[page](javascript:alert(1))', '[page](javascript:alert(1))/'],
  ['discord', '***both***', '<strong><em>both</></>/'],
  [
    'teams',
    '**bold** _em_ [page](https://a.example) `code`',
    '<strong>bold</> <em>em</> <a https://a.example>page</> `code`/',
  ],
  ['whatsapp', '*bold* _em_ ~gone~ snake_case_name', '<strong>bold</> <em>em</> <s>gone</> snake_case_name/'],
  ['other', '__bold__ *em*\n\nnext', '<strong>bold</> <em>em</>//next/'],
])('%s: %s', (client, text, want) => {
  expect(html(markup(text, client))).toBe(want)
})

test('marks within marks come to an end', () => {
  const deep = `${'*_'.repeat(3000)}x${'_*'.repeat(3000)}`
  expect(html(markup(deep, 'slack'))).toContain('x')
})

test('the end of a mark is not looked for through the whole text', () => {
  const near = 'a'.repeat(1000)
  expect(html(markup(`*${near}* [${near}](https://a.example)`, 'other'))).toBe(
    `<em>${near}</> <a https://a.example>${near}</>/`,
  )
  const far = `*${near}a* _${near}a_ [${near}a]`
  expect(html(markup(far, 'other'))).toBe(`${far}/`)
})

test('what is behind the longest text is shown as it is written', () => {
  expect(html(markup(`*a* ${'b'.repeat(39_996)}*c*`, 'slack'))).toBe(`<strong>a</> ${'b'.repeat(39_996)}/*c*/`)
})

test('the chat goes by the provider', () => {
  expect(clientOf([])).toBe('slack')
  expect(['novu-slack', 'discord', 'msteams', 'whatsapp-business', 'zulip'].map((id) => clientOf([id]))).toEqual([
    'slack',
    'discord',
    'teams',
    'whatsapp',
    'other',
  ])
})

test('an object is a card', () => {
  expect(['{"type": "message"}', '[1]', 'null', '{', 'text'].map(isCard)).toEqual([true, false, false, false, false])
})
