import { useQuery } from '../api'
import type { Channel } from '../gql'
import { SendersDocument } from '../gql'

/** The active integrations of a channel, the primary one first; none while they are loaded, and for who may not read them. */
export function useSenders(channel: Channel) {
  const all = useQuery(SendersDocument, {}).data?.integrations.nodes ?? []
  return all.filter((i) => i.channel === channel).sort((a, b) => Number(b.primary) - Number(a.primary))
}
