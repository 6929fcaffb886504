const removed = 'script, link, iframe, frame, frameset, object, embed, base, meta[http-equiv], form, template'
const requests = new Set(['srcset', 'background', 'poster', 'ping', 'action', 'formaction'])

/** The path of an image that was uploaded here; whatever host a mail names, it is asked of this one. */
const uploaded = /^\s*https?:\/\/[^/?#]+(\/images\/[0-9a-f]{64})\s*$/i

/** The address of an image that was uploaded here as this page asks for it; undefined for any other. */
export function uploadedImage(address: string): string | undefined {
  const path = uploaded.exec(address)?.[1]
  return path && new URL(path, location.origin).href
}

/**
 * The HTML of a mail without scripts and without anything that asks another server for a resource. Links open in a new tab
 * without access to this one.
 */
export function sanitizeMail(html: string): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  for (const e of mail.querySelectorAll(removed)) e.remove()
  for (const e of mail.querySelectorAll('*')) for (const a of [...e.attributes]) sanitizeAttribute(e, a)
  for (const e of mail.querySelectorAll('style')) e.textContent = withoutRequests(e.textContent)
  for (const e of mail.querySelectorAll('a, area')) {
    e.setAttribute('target', '_blank')
    e.setAttribute('rel', 'noopener noreferrer')
  }
  return mail.documentElement.outerHTML
}

function sanitizeAttribute(e: Element, a: Attr) {
  const local = /^\s*(data:|#)/i.test(a.value)
  const link = ['a', 'area'].includes(e.localName) && /^\s*(https?|mailto|tel):/i.test(a.value)
  const image = e.localName === 'img' && a.name === 'src' && uploadedImage(a.value)
  if (image) a.value = image
  else if (a.name.startsWith('on') || requests.has(a.name)) e.removeAttribute(a.name)
  else if (a.name === 'src' && !local) e.removeAttribute(a.name)
  else if (/(^|:)href$/.test(a.name) && !local && !link) e.removeAttribute(a.name)
  else if (a.name === 'style') a.value = withoutRequests(a.value)
}

/** A style sheet that loads nothing. */
export function withoutRequests(css: string): string {
  return css
    .replace(/@import[^;]*;?/gi, '')
    .replace(/(url|image-set|src)\(\s*(["']?)(?!\s*(["']?)\s*(data:|#))[^)]*\)/gi, 'none')
}

/** A mail with its colours inverted and its pictures as they are, as some mail programs show mails on dark screens. */
export const darkMail = (html: string) =>
  `${html}<style>html{background:#fff;filter:invert(1) hue-rotate(180deg)}img,video{filter:invert(1) hue-rotate(180deg)}</style>`
