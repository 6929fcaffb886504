import { Bell, ChevronDown, ChevronUp, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../button'
import { foreign, segments } from './segments'
import { useSenders } from './senders'
import { word } from './words'

const AppIcon = () => (
  <span className="app-icon">
    <Bell aria-hidden className="icon" />
  </span>
)

/**
 * A push message as the lock screens of phones show it. iOS cuts the title after one line and the text after four; Android shows one
 * line of each until it is expanded.
 */
export function Push({ title, text }: { title: string; text: string }) {
  return (
    <div className="locks">
      <section className="lock" aria-label="iOS" aria-live="polite">
        <div className="lock-name">iOS</div>
        <div className="ios-push">
          <AppIcon />
          <div>
            <div className="push-head">
              <strong className="one-line">{title || word('yourApp')}</strong>
              <span className="faint">{word('now')}</span>
            </div>
            <p className="shown-text four-lines">{text}</p>
          </div>
        </div>
      </section>
      <Android title={title} text={text} />
    </div>
  )
}

function Android({ title, text }: { title: string; text: string }) {
  const [open, setOpen] = useState(false)
  return (
    <section className="lock" aria-label="Android">
      <div className="lock-name">Android</div>
      <div className="android-push">
        <AppIcon />
        <div>
          <div className="push-head">
            <span className="faint one-line">
              {word('yourApp')} · {word('now')}
            </span>
            <IconButton
              icon={open ? ChevronUp : ChevronDown}
              label={open ? word('collapse') : word('expand')}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            />
          </div>
          <strong className="one-line">{title || word('noTitle')}</strong>
          <p className={open ? 'shown-text' : 'shown-text one-line'}>{text}</p>
        </div>
      </div>
    </section>
  )
}

/** A text message on a phone, with what it is counted and billed as. */
export function SMS({ text }: { text: string }) {
  const [integration] = useSenders('SMS')
  const s = segments(text)
  const unusual = foreign(text)
  return (
    <>
      <div className="device">
        <div className="device-head">
          <span className="round-letter" aria-hidden>
            <MessageSquare className="icon" />
          </span>
          <span>{integration?.credentials.from || word('textMessage')}</span>
          <span className="faint">{word('today', { time: '09:41' })}</span>
        </div>
        <div className="bubble shown-text" aria-live="polite">
          {withLinks(text)}
        </div>
      </div>
      <p className="small">
        <strong>{word('segments', { n: s.messages })}</strong>, {word('billedAs', { n: s.messages })} ·{' '}
        {word('characters', { n: s.length, each: s.each })} · {s.unicode ? 'UCS-2' : 'GSM-7'}
      </p>
      {unusual.length > 0 && (
        <p className="soft small">
          {word('outside')}{' '}
          {unusual.slice(0, 12).map((c) => (
            <code key={c}>{c} </code>
          ))}
        </p>
      )}
    </>
  )
}

/** Phones underline addresses. */
const withLinks = (text: string) =>
  text.split(/(https?:\/\/\S*[^\s.,;:!?)])/).map((part, i) => (i % 2 === 1 ? <u key={i}>{part}</u> : part))
