import { useMemo } from 'react'
import { sanitizeMail } from './mail'

/**
 * The frame of a mail, which has no rights but to open links in tabs of their own. Another mail gets another frame: what a frame shows
 * after its first document is a step in the browser's history, so that back would turn over previews instead of leaving the page.
 */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const clean = useMemo(() => sanitizeMail(html), [html])
  return (
    <iframe
      key={clean}
      className="mail"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      title={title}
      srcDoc={clean}
    />
  )
}
