import { Bell } from 'lucide-react'
import { useAround } from '../editor/around'
import { uploadedImage } from '../images/uploaded'
import { letterOf } from './mail-line'
import type { Rendered } from './shown'
import { word } from './words'

/** An in-app message as the inbox element lists it: what does not fit into one line of subject and two of text is cut. */
export function InApp({ of }: { of: Rendered }) {
  const { workflow } = useAround()
  const text = of.content?.text ?? ''
  const subject = of.subject || text
  const buttons = of.cta?.action?.buttons ?? []
  return (
    <>
      <div className="inbox-list" aria-live="polite">
        <div className="inbox-row">
          <Avatar src={of.avatar ?? ''} subject={subject} workflow={workflow} />
          <div className="inbox-what">
            <div className="inbox-first">
              <strong className={of.subject ? '' : 'shown-text'}>{subject}</strong>
              <span>{word('now')}</span>
            </div>
            {of.subject && <p className="inbox-text shown-text">{text}</p>}
            {buttons.length > 0 && (
              <div className="inbox-buttons">
                {buttons.map((b) => (
                  <span key={b.type} className={b.type === 'PRIMARY' ? 'main' : ''}>
                    {b.content}
                  </span>
                ))}
              </div>
            )}
          </div>
          <span className="inbox-dot" aria-hidden />
        </div>
      </div>
      {of.cta?.data?.url && <p className="soft small">{word('opens', { url: of.cta.data.url })}</p>}
    </>
  )
}

/** The picture, when it can be had without asking another server, else the letter that the inbox shows without one. */
function Avatar({ src, subject, workflow }: { src: string; subject: string; workflow: string }) {
  const own = src.startsWith('data:image/') ? src : uploadedImage(src)
  if (own) return <img className="inbox-avatar" src={own} alt="" />
  // The colour goes by the workflow, as in the element (row.js).
  const hue = [...workflow].reduce((sum, c) => (sum * 31 + c.codePointAt(0)!) % 6, 0)
  return (
    <span className={`inbox-avatar hue-${hue}`} aria-hidden>
      {letterOf(subject) || <Bell className="icon" />}
    </span>
  )
}
