import { type LucideIcon, Monitor, Moon, Smartphone, Star, Text as TextIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../button'

import { Mail } from '../shown-mail'
import { Choice } from './choice'
import { beginning, letterOf, type Sender, senderOf } from './mail-line'
import { useSenders } from './senders'
import type { Rendered } from './shown'
import { word } from './words'

/** A mail with its colours inverted and its pictures as they are, as some mail programs show mails on dark screens. */
const darkMail = (html: string) =>
  `${html}<style>html{background:#fff;filter:invert(1) hue-rotate(180deg)}img,video{filter:invert(1) hue-rotate(180deg)}</style>`

type View = 'desktop' | 'phone' | 'text'

/** An e-mail in the list of a mail program and opened: wide or narrow, on a light or a dark screen, or its plain part. */
export function Email({ of }: { of: Rendered }) {
  const [view, setView] = useState<View>('desktop')
  const [dark, setDark] = useState(false)
  const [integration] = useSenders('EMAIL')
  const html = of.content?.html ?? undefined
  const text = of.content?.text ?? ''
  const line = useMemo(() => beginning(html, text), [html, text])
  const sender = senderOf(
    { from: of.from ?? '', name: of.senderName ?? '' },
    { from: integration?.credentials.from ?? '', name: integration?.credentials.senderName ?? '' },
    word('theSender'),
  )
  const subject = of.subject || word('noSubject')
  const views: { value: View; name: string; icon: LucideIcon }[] = [
    { value: 'desktop', name: word('desktop'), icon: Monitor },
    { value: 'phone', name: word('phone'), icon: Smartphone },
    { value: 'text', name: word('plainText'), icon: TextIcon },
  ]
  const frame = `mail-frame ${view === 'phone' ? 'phone' : ''} ${dark && view !== 'text' ? 'dark' : 'light'}`
  return (
    <>
      <div className="mail-views">
        <Choice label={word('showTheEMailAs')} options={views} value={view} onChange={setView} />
        <div className="choice">
          <Button
            icon={Moon}
            look="quiet"
            aria-pressed={dark}
            disabled={view === 'text'}
            onClick={() => setDark(!dark)}
          >
            {word('dark')}
          </Button>
        </div>
      </div>
      <div className={frame} role="group" aria-label={word('inTheList')}>
        <Row narrow={view === 'phone'} sender={sender} subject={subject} line={line} />
      </div>
      <div className={frame} role="group" aria-label={word('opened')} aria-live="polite">
        <div className="mail-head">
          <strong className="mail-subject">{subject}</strong>
          <div className="mail-from">
            <Letter of={sender.name} />
            <div>
              <span>{sender.name}</span> {sender.address && <span className="faint">&lt;{sender.address}&gt;</span>}
              {of.replyTo && <div className="faint">{word('replyTo', { to: of.replyTo })}</div>}
            </div>
            <span className="faint">09:41</span>
          </div>
        </div>
        {html && view !== 'text' ? (
          <Mail html={dark ? darkMail(html) : html} title={word('previewOfTheMail')} />
        ) : (
          <pre tabIndex={0} className="shown-text">
            {text}
          </pre>
        )}
      </div>
      {dark && view !== 'text' && <p className="soft small">{word('asMailProgramsShowIt')}</p>}
    </>
  )
}

/** The mail in a list: one line on a desktop, three on a phone, each cut where it ends. */
function Row({ narrow, sender, subject, line }: { narrow: boolean; sender: Sender; subject: string; line: string }) {
  const rest = line || word('noPreviewText')
  if (narrow)
    return (
      <div className="mail-row narrow">
        <Letter of={sender.name} />
        <div>
          <div className="mail-row-first">
            <b>{sender.name}</b>
            <span className="faint">09:41</span>
          </div>
          <b>{subject}</b>
          <span className="faint">{rest}</span>
        </div>
      </div>
    )
  return (
    <div className="mail-row">
      <Star aria-hidden className="icon" />
      <b className="mail-row-sender">{sender.name}</b>
      <span className="mail-row-line">
        <b>{subject}</b> <span className="faint">{rest}</span>
      </span>
      <b className="mail-row-time">09:41</b>
    </div>
  )
}

const Letter = ({ of }: { of: string }) => (
  <span className="round-letter" aria-hidden>
    {letterOf(of)}
  </span>
)
