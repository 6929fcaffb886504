import type { TriggerScheduleRecipientInput } from '../gql'

export type Kind = 'subscriber' | 'topic' | 'audience'

/** One recipient as it is edited. except are the subscribers that are left out of a topic, separated by spaces. */
export type Recipient = { kind: Kind; name: string; except: string }

export const kinds: readonly Kind[] = ['subscriber', 'topic', 'audience']

export const newRecipient: Recipient = { kind: 'subscriber', name: '', except: '' }

type Stored = {
  subscriberId?: string | null
  topic?: { topicKey: string; exclude?: readonly string[] | null } | null
  audience?: string | null
}

/** The recipients of what is stored; undefined when they are every subscriber. */
export const recipientsOf = (to: readonly Stored[] | null | undefined): Recipient[] | undefined =>
  to?.map(({ subscriberId, topic, audience }) => {
    if (topic) return { kind: 'topic', name: topic.topicKey, except: (topic.exclude ?? []).join(' ') }
    return audience
      ? { kind: 'audience', name: audience, except: '' }
      : { kind: 'subscriber', name: subscriberId ?? '', except: '' }
  })

/** Recipients for the API; null for every subscriber. */
export const toInput = (all: readonly Recipient[] | undefined): TriggerScheduleRecipientInput[] | null =>
  all?.map(({ kind, name, except }) => {
    if (kind === 'audience') return { audience: name }
    if (kind === 'subscriber') return { subscriberId: name }
    const exclude = except.split(/\s+/).filter(Boolean)
    return { topic: { topicKey: name, ...(exclude.length > 0 && { exclude }) } }
  }) ?? null

/** Reports whether the recipients are fanned out page by page, so that they can be paced. */
export const canBePaced = (all: readonly Recipient[] | undefined) => !all || all.some((r) => r.kind !== 'subscriber')
