import { Bell, type LucideIcon, Mail, MessageCircle, MessageSquareText, Smartphone } from 'lucide-react'
import type { Channel, MessageStatus, RunStatus, TraceReason } from '../gql'
import { find, t } from '../text/text'
import { Badge, type Tone } from '../ui'
import { words } from '../words'
import { runOutcome, stepOutcomes } from './run-outcome'

type Entry = { stepId: string | null; channel: Channel | null; reason: TraceReason }

/** What a run came to. */
export function RunBadge({
  of,
}: {
  of: { status: RunStatus; heldBy?: string | null; failures: number; trace?: readonly Entry[] }
}) {
  const { text, tone } = runOutcome(of)
  return (
    <span className="badges">
      <Badge tone={tone}>{text}</Badge>
      {of.failures > 0 && <Badge tone="bad">{t('run.failures', { n: of.failures })}</Badge>}
    </span>
  )
}

export const messageTones: Record<MessageStatus, Tone> = {
  PENDING: 'wait',
  SENT: 'good',
  ERROR: 'bad',
  WARNING: 'wait',
}

export const channelIcons: Record<Channel, LucideIcon> = {
  EMAIL: Mail,
  SMS: MessageSquareText,
  PUSH: Smartphone,
  CHAT: MessageCircle,
  IN_APP: Bell,
}

/** The channels of a run, each with what became of it. */
export function ChannelIcons({ of }: { of: { trace: readonly Entry[] } }) {
  return (
    <span className="channel-icons">
      {stepOutcomes(of.trace).map(({ stepId, channel, kind, reason }) => {
        if (!channel) return null
        const Icon = channelIcons[channel]
        return (
          <span key={stepId} title={`${words(channel)}: ${reasonText(reason)}`}>
            <Icon aria-hidden className={`icon ${kind}`} />
            <span className="hidden">{`${words(channel)}: ${reasonText(reason)}`}</span>
          </span>
        )
      })}
    </span>
  )
}

/** Why a decision was taken, as a sentence. */
export const reasonText = (reason: TraceReason) => find(`reason.${reason}`) ?? words(reason)
