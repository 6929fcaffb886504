import { useState } from 'react'
import { useQuery } from './api'
import { Text, type TextProps } from './form'
import {
  OfferedAudiencesDocument,
  OfferedFeedsDocument,
  OfferedIntegrationsDocument,
  OfferedLayoutsDocument,
  OfferedSubscribersDocument,
  OfferedTopicsDocument,
  OfferedWorkflowsDocument,
  type TypedDocumentString,
} from './gql'
import { choicesOfLast, lastName } from './lists'
import { useSettled } from './settled'

type Offered = { offered: { nodes: { value: string; label?: string | null; last?: string | null }[] } }

const documents = {
  workflow: OfferedWorkflowsDocument,
  integration: OfferedIntegrationsDocument,
  layout: OfferedLayoutsDocument,
  feed: OfferedFeedsDocument,
  topic: OfferedTopicsDocument,
  audience: OfferedAudiencesDocument,
  subscriber: OfferedSubscribersDocument,
} satisfies Record<string, TypedDocumentString<Offered, { text?: string | null }>>

/**
 * The identifier of a resource, or several separated by commas. The server finds those that are offered by what is typed, so that each
 * can be found however many there are; it is asked once the field has the focus.
 */
export function IdentifierField({
  of,
  several,
  ...text
}: Omit<TextProps, 'choices' | 'onFocus'> & { of: keyof typeof documents; several?: boolean }) {
  const [wanted, setWanted] = useState(false)
  const typed = useSettled(several ? lastName(text.value) : text.value.trim())
  const { data } = useQuery<Offered, { text?: string | null }>(
    documents[of],
    { text: typed || undefined },
    !wanted || text.readOnly,
  )
  const offered = (data?.offered.nodes ?? []).map(({ value, label, last }) => ({
    value,
    label: [label, last].filter(Boolean).join(' '),
  }))
  return (
    <Text {...text} choices={several ? choicesOfLast(text.value, offered) : offered} onFocus={() => setWanted(true)} />
  )
}
