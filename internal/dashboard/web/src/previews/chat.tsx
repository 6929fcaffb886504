import { Bell } from 'lucide-react'
import { useState } from 'react'
import { Choice } from './choice'
import { type Client, clientOf, isCard, longest, type Marked, markup } from './markup'
import { useSenders } from './senders'
import { word } from './words'

const clients: readonly { value: Client; name: string }[] = [
  { value: 'slack', name: 'Slack' },
  { value: 'discord', name: 'Discord' },
  { value: 'teams', name: 'Teams' },
  { value: 'whatsapp', name: 'WhatsApp' },
  { value: 'other', name: 'Markdown' },
]

/** A chat message as the chat of the first integration shows it, or as another one that is chosen. */
export function Chat({ text }: { text: string }) {
  const [chosen, setChosen] = useState<Client>()
  const of = useSenders('CHAT')
  const client = chosen ?? clientOf(of.map((i) => i.providerId))
  const most = longest[client]
  const n = [...text].length
  const card = client === 'teams' && isCard(text)
  return (
    <>
      <Choice label={word('showTheChatAs')} options={clients} value={client} onChange={setChosen} />
      <div className={`chat ${client}`} aria-live="polite">
        {client !== 'whatsapp' && (
          <span className="app-icon">
            <Bell aria-hidden className="icon" />
          </span>
        )}
        <div>
          {client !== 'whatsapp' && (
            <div className="chat-head">
              <strong>{word('yourApp')}</strong>{' '}
              {client !== 'teams' && <span className="chat-badge">{word('app')}</span>}{' '}
              <span className="faint">{client === 'discord' ? word('today', { time: '09:41' }) : '09:41'}</span>
            </div>
          )}
          <div className="chat-text shown-text">
            {card ? <pre tabIndex={0}>{text}</pre> : <Marks of={markup(text, client)} />}
            {client === 'whatsapp' && <span className="faint chat-time">09:41</span>}
          </div>
        </div>
      </div>
      {card && <p className="soft small">{word('card')}</p>}
      {most !== undefined && n > most && (
        <p className="bad small">{word('tooLong', { name: clients.find((c) => c.value === client)!.name, most, n })}</p>
      )}
    </>
  )
}

/** Marked text. Its links open in a tab that knows nothing of this one. */
const Marks = ({ of }: { of: readonly Marked[] }) =>
  of.map((m, i) => {
    if (typeof m === 'string') return m
    const { tag: Tag, href } = m
    const link = href ? { href, target: '_blank', rel: 'noopener noreferrer' } : {}
    return (
      <Tag key={i} {...link}>
        <Marks of={m.of} />
      </Tag>
    )
  })
