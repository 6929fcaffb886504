import { Bell, type LucideIcon, Monitor, Moon, Smartphone, Text as TextIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../button'
import type { PreviewStepQuery, WorkflowStepInput } from '../gql'
import { darkMail } from '../mail'
import { t } from '../text/text'
import { Badge, Mail } from '../ui'
import { foreign, segments } from './segments'

type Rendered = PreviewStepQuery['previewStep']

/** A rendered step as its reader would see it. */
export function Shown({ step, of }: { step: WorkflowStepInput; of: Rendered }) {
  const text = of.content?.text ?? ''
  switch (step.type) {
    case 'EMAIL':
      return <Email of={of} />
    case 'IN_APP':
      return <InApp of={of} />
    case 'SMS':
      return <SMS text={text} />
    case 'PUSH':
      return (
        <div className="device lock">
          <div className="push" aria-live="polite">
            <span className="app-icon">
              <Bell aria-hidden className="icon" />
            </span>
            <div>
              <div className="push-head">
                <strong>{of.subject || t('shown.noTitle')}</strong> <span className="soft small">{t('shown.now')}</span>
              </div>
              <p className="words shown-text">{text}</p>
            </div>
          </div>
        </div>
      )
    default:
      return (
        <div className="chat" aria-live="polite">
          <span className="app-icon">
            <Bell aria-hidden className="icon" />
          </span>
          <div>
            <div>
              <strong>{t('shown.yourApp')}</strong> <Badge>{t('shown.app')}</Badge>{' '}
              <span className="soft small">09:41</span>
            </div>
            <p className="words shown-text">{text}</p>
          </div>
        </div>
      )
  }
}

type View = 'desktop' | 'phone' | 'text'

/** An e-mail, wide or narrow, on a light or a dark screen, or its plain part. */
function Email({ of }: { of: Rendered }) {
  const [view, setView] = useState<View>('desktop')
  const [dark, setDark] = useState(false)
  const html = of.content?.html
  const views: { value: View; name: string; icon: LucideIcon }[] = [
    { value: 'desktop', name: t('shown.desktop'), icon: Monitor },
    { value: 'phone', name: t('word.PHONE'), icon: Smartphone },
    { value: 'text', name: t('shown.plainText'), icon: TextIcon },
  ]
  return (
    <>
      <div className="mail-views">
        <Choice label={t('shown.showTheEMailAs')} options={views} value={view} onChange={setView} />
        <div className="choice">
          <Button
            icon={Moon}
            look="quiet"
            aria-pressed={dark}
            disabled={view === 'text'}
            onClick={() => setDark(!dark)}
          >
            {t('shown.dark')}
          </Button>
        </div>
      </div>
      <div className={view === 'phone' ? 'mail-frame phone' : 'mail-frame'} aria-live="polite">
        <div className="mail-head">
          <strong>{of.subject || t('shown.noSubject')}</strong>
          <div className="soft small">
            {[
              t('shown.from', { from: of.from || t('shown.theSender') }),
              of.replyTo && t('shown.replyTo', { to: of.replyTo }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </div>
        </div>
        {html && view !== 'text' ? (
          <Mail html={dark ? darkMail(html) : html} title={t('shown.previewOfTheMail')} />
        ) : (
          <pre tabIndex={0} className="shown-text">
            {of.content?.text}
          </pre>
        )}
      </div>
      {dark && view !== 'text' && <p className="soft small">{t('shown.asMailProgramsShowIt')}</p>}
    </>
  )
}

/** One of a few choices, as buttons beside each other. */
export function Choice<V extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: V; name: string; icon?: LucideIcon }[]
  value: V
  onChange: (value: V) => void
}) {
  return (
    <div className="choice" role="group" aria-label={label}>
      {options.map((o) => (
        <Button
          key={o.value}
          icon={o.icon}
          look="quiet"
          aria-pressed={o.value === value}
          onClick={() => onChange(o.value)}
        >
          {o.name}
        </Button>
      ))}
    </div>
  )
}

function InApp({ of }: { of: Rendered }) {
  const buttons = of.cta?.action?.buttons ?? []
  return (
    <div className="inbox-row" aria-live="polite">
      <span className="app-icon">
        {of.avatar?.startsWith('data:') ? <img src={of.avatar} alt="" /> : <Bell aria-hidden className="icon" />}
      </span>
      <div className="stack">
        <div>
          {of.subject && <strong>{of.subject}</strong>} <span className="soft small">{t('shown.now')}</span>
          <p className="words shown-text">{of.content?.text}</p>
        </div>
        {buttons.length > 0 && (
          <div className="row">
            {buttons.map((b) => (
              <span key={b.type} className={b.type === 'PRIMARY' ? 'button primary' : 'button'}>
                {b.content}
              </span>
            ))}
          </div>
        )}
        {of.cta?.data?.url && <div className="soft small">{t('shown.opens', { url: of.cta.data.url })}</div>}
      </div>
      <span className="unread-dot" aria-hidden />
    </div>
  )
}

function SMS({ text }: { text: string }) {
  const s = segments(text)
  const unusual = foreign(text)
  return (
    <>
      <Phone>
        <div className="bubble words shown-text" aria-live="polite">
          {text}
        </div>
      </Phone>
      <p className="small">
        <strong>{t('shown.segments', { n: s.messages })}</strong>, {t('shown.billedAs', { n: s.messages })} ·{' '}
        {t('shown.characters', { n: s.length, each: s.each })} · {s.unicode ? 'UCS-2' : 'GSM-7'}
      </p>
      {unusual.length > 0 && (
        <p className="soft small">
          {t('shown.outside')}{' '}
          {unusual.slice(0, 12).map((c) => (
            <code key={c}>{c} </code>
          ))}
        </p>
      )}
    </>
  )
}

const Phone = ({ children }: { children: ReactNode }) => (
  <div className="device">
    <div className="device-head small soft">{t('shown.textMessage')}</div>
    {children}
  </div>
)
