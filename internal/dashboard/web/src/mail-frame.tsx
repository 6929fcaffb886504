import { useMemo } from 'react'
import { sanitizeMail } from './mail'

/** The frame of a mail, which has no rights but to open links in tabs of their own. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const clean = useMemo(() => sanitizeMail(html), [html])
  return <iframe className="mail" sandbox="allow-popups allow-popups-to-escape-sandbox" title={title} srcDoc={clean} />
}
