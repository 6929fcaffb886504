import DOMPurify, { type Config, type UponSanitizeAttributeHookEvent } from 'dompurify'
import { uploadedImage } from './images/uploaded'

const config: Config = {
  USE_PROFILES: { html: true, svg: true },
  WHOLE_DOCUMENT: true,
  FORBID_TAGS: ['form', 'template'],
  ADD_FORBID_CONTENTS: ['form'],
  FORBID_ATTR: ['srcset', 'background', 'poster', 'action'],
}

const purifier = DOMPurify(window)
purifier.addHook('uponSanitizeElement', (node, { tagName }) => {
  if (tagName === 'style') node.textContent = withoutRequests(node.textContent ?? '')
})
purifier.addHook('uponSanitizeAttribute', sanitizeAttribute)
purifier.addHook('afterSanitizeAttributes', (e) => {
  if (!links.includes(e.localName)) return
  e.setAttribute('target', '_blank')
  e.setAttribute('rel', 'noopener noreferrer')
})

/**
 * The HTML of a mail without scripts and without anything that asks another server for a resource. Links open in a new tab
 * without access to this one.
 */
export const sanitizeMail = (html: string): string => purifier.sanitize(html, config)

const links = ['a', 'area']

function sanitizeAttribute(e: Element, a: UponSanitizeAttributeHookEvent) {
  const local = /^\s*(data:|#)/i.test(a.attrValue)
  const link = links.includes(e.localName) && /^\s*(https?|mailto|tel):/i.test(a.attrValue)
  const image = e.localName === 'img' && a.attrName === 'src' && uploadedImage(a.attrValue)
  if (image) a.attrValue = image
  else if (a.attrName === 'src') a.keepAttr = local
  else if (/(^|:)href$/.test(a.attrName)) a.keepAttr = local || link
  else if (a.attrName === 'style' || e instanceof SVGElement) a.attrValue = withoutRequests(a.attrValue)
}

/** A style sheet that loads nothing, without the marks by which old mails hide theirs from programs that know no style sheets. */
export function withoutRequests(css: string): string {
  return css
    .replace(/<!--|-->/g, '')
    .replace(/@import[^;]*;?/gi, '')
    .replace(/(url|image-set|src)\(\s*(["']?)(?!\s*(["']?)\s*(data:|#))[^)]*\)/gi, 'none')
}
