import { part } from './part'

const MailFrame = part(
  () => import('./mail-frame').then((m) => m.MailFrame),
  () => <div className="mail" aria-busy />,
)

/**
 * A mail as its reader would see it: without scripts, and without asking other servers for pictures. Its links open in a tab
 * that knows nothing of this one. On paper, where the frame cannot be scrolled, its text follows in full.
 */
export function Mail({ html, text, title }: { html: string; text?: string | null; title: string }) {
  return (
    <>
      <MailFrame html={html} title={title} />
      {text && <pre className="paper">{text}</pre>}
    </>
  )
}
