// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { sanitizeMail, withoutRequests } from './mail'

describe('a sanitized mail', () => {
  test.each([
    '<script>alert(1)</script>',
    '<iframe src="https://x.test"></iframe>',
    '<object data="https://x.test"></object>',
    '<embed src="https://x.test">',
    '<base href="https://x.test/">',
    '<meta http-equiv="refresh" content="0;url=https://x.test">',
    '<link rel="stylesheet" href="https://x.test">',
    '<form action="https://x.test"><input></form>',
    '<template><img src="https://x.test"></template>',
  ])('has no %s', (html) => {
    expect(sanitizeMail(`<p>text</p>${html}`)).toBe('<html><head></head><body><p>text</p></body></html>')
  })

  test.each([
    '<img src="https://x.test/p.png">',
    '<img srcset="https://x.test/p.png 2x">',
    '<table background="https://x.test/p.png"></table>',
    '<video poster="https://x.test/p.png"></video>',
    '<a href="https://ok.test" ping="https://x.test">a</a>',
    '<a href="javascript:x.test()">a</a>',
    '<img src="data:image/png;base64,AA" onerror="x.test()">',
    '<svg><image href="https://x.test/p.png"/></svg>',
    '<svg><use xlink:href="https://x.test/p.svg#a"/></svg>',
    '<p style="background: url(https://x.test/p.png)">a</p>',
    '<svg><rect fill="url(https://x.test/p.svg#a)"/></svg>',
    '<svg><a href="#"><animate attributeName="href" to="https://x.test"/></a></svg>',
    '<style>@import "https://x.test/a.css"; p { background: url(https://x.test/p.png) }</style>',
  ])('asks no server for anything: %s', (html) => {
    expect(sanitizeMail(html)).not.toContain('x.test')
  })

  test('shows images that were uploaded, from this server', () => {
    const path = `/images/${'0a'.repeat(32)}`
    expect(sanitizeMail(`<img src="https://x.test${path}">`)).toContain(`src="${location.origin}${path}"`)
    for (const html of [`<img src="https://x.test${path}?a">`, `<img src="https://x.test/a${path}">`])
      expect(sanitizeMail(html)).not.toContain('x.test')
    expect(sanitizeMail(`<video src="https://x.test${path}"></video>`)).not.toContain('src')
  })

  test.each([
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<noscript><p title="</noscript><img src=1 onerror=alert(1)>">',
  ])('has no script when it is parsed again: %s', (html) => {
    const shown = new DOMParser().parseFromString(sanitizeMail(html), 'text/html')
    expect(shown.querySelector('[onerror], script')).toBeNull()
  })

  test('keeps its style sheets, hidden ones too, and the colours of its body', () => {
    const html = sanitizeMail(
      '<head><style><!-- p { color: red } --></style></head><body bgcolor="#eee"><p>a</p></body>',
    )
    expect(html).toBe('<html><head><style> p { color: red } </style></head><body bgcolor="#eee"><p>a</p></body></html>')
  })

  test('keeps what it contains itself', () => {
    const html = sanitizeMail('<img src="data:image/png;base64,AA"><a href="#part">b</a><p style="color: red">c</p>')
    expect(html).toContain('src="data:image/png;base64,AA"')
    expect(html).toContain('href="#part"')
    expect(html).toContain('style="color: red"')
  })

  test.each(['https://x.test', 'mailto:a@x.test', 'tel:+49'])('opens links in another tab: %s', (href) => {
    expect(sanitizeMail(`<a href="${href}">a</a>`)).toContain(
      `<a href="${href}" target="_blank" rel="noopener noreferrer">`,
    )
  })
})

test.each([
  ['a { background: url("https://x.test") }', 'a { background: none }'],
  ["a { background: URL( 'https://x.test' ) }", 'a { background: none }'],
  ['a { background: image-set("https://x.test" 1x) }', 'a { background: none }'],
  ['@import url(https://x.test); b {}', ' b {}'],
  ['a { background: url(data:image/png;base64,AA) }', 'a { background: url(data:image/png;base64,AA) }'],
  ['a { mask: url(#local) }', 'a { mask: url(#local) }'],
])('the style sheet %s loads nothing', (css, clean) => expect(withoutRequests(css)).toBe(clean))
