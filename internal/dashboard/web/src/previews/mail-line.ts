/** The most characters of a mail's text that lists of mails have room for. */
const most = 200

// What mails hide in their beginning so that nothing follows the preview text: it takes no room in the list.
const fillers = /\u034f|[\u00ad\u061c\u200b-\u200f\u2007\u2060-\u2064\ufeff]/g

/**
 * What the list of a mail program shows behind the subject: the beginning of the text of the mail, of which the preview text, though
 * hidden, is the first.
 */
export function beginning(html: string | undefined, text: string): string {
  let said = text
  if (html) {
    const mail = new DOMParser().parseFromString(html, 'text/html')
    for (const e of mail.querySelectorAll('style, script, title, template')) e.remove()
    for (const e of mail.body.querySelectorAll('br, p, div, td, li, h1, h2, h3, h4, h5, h6, tr')) e.append(' ')
    said = mail.body.textContent
  }
  const line = said.replace(fillers, '').replace(/\s+/g, ' ').trim()
  return [...line].slice(0, most).join('')
}

/** Who sent a mail: the name that lists show, and the address behind it. */
export type Sender = { name: string; address: string }

/** The sender that a step names, else that of the integration; a name may also stand in front of the address. */
export function senderOf(
  step: { from?: string; name?: string },
  integration: { from?: string; name?: string } = {},
  unknown = '',
): Sender {
  const from = step.from || integration.from || ''
  const [, named = '', inside = from] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  const name = step.name || named || integration.name || ''
  return { name: name || inside || unknown, address: name ? inside : '' }
}

/** The first letter or digit of a name, shown in place of a picture; empty when it has none. */
export const letterOf = (name: string) => /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase() ?? ''
