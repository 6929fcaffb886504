import { useEffect, useState } from 'react'
import { request } from '../api'
import { parseJSON } from '../errors'
import { NumberField, Text } from '../form'
import { PreviewStepDocument, type PreviewStepInput, type PreviewStepQuery, type WorkflowStepInput } from '../gql'
import { Card, Failure, Mail } from '../ui'

/** What the templates of a preview see. */
export type Example = {
  payload: string
  subscriberId: string
  /** How many events a digest before the step has collected; undefined when there is no digest. */
  digestItems?: number
}

type Props = {
  step: WorkflowStepInput
  layout?: string
  /** Sources of snippets in place of the stored ones. */
  snippets?: Record<string, string>
  /** Whether there is a field for the events of a digest. */
  digest?: boolean
  payloadLabel?: string
  payloadHint?: string
  /** Makes the payload when the example has none. */
  payloadSchema?: unknown
  example: Example
  onExample: (e: Example) => void
}

/** What a step would send, rendered by the server as sending does, while it is edited. */
export function Preview({
  step,
  layout,
  snippets,
  digest,
  payloadLabel = 'Example payload (JSON)',
  payloadHint = 'If empty, one is made from the payload schema.',
  payloadSchema,
  example,
  onExample,
}: Props) {
  const [shown, setShown] = useState<PreviewStepQuery['previewStep']>()
  const [error, setError] = useState<Error>()
  const key = JSON.stringify({
    step,
    layout,
    snippets,
    payloadSchema,
    digestItems: digest ? example.digestItems : undefined,
    subscriberId: example.subscriberId || undefined,
  })
  useEffect(() => {
    let wanted = true
    const timer = setTimeout(async () => {
      try {
        const input = { ...JSON.parse(key), payload: parseJSON(example.payload, 'The payload') } as PreviewStepInput
        const { previewStep } = await request(PreviewStepDocument, { input })
        if (!wanted) return
        setShown(previewStep)
        setError(previewStep.error ? new Error(previewStep.error) : undefined)
      } catch (e) {
        if (wanted) setError(e as Error)
      }
    }, 300)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [key, example.payload])
  return (
    <Card title="Preview">
      <Text
        label="Example subscriber"
        value={example.subscriberId}
        onChange={(subscriberId) => onExample({ ...example, subscriberId })}
        hint="If empty, sample data is used."
      />
      <Text
        label={payloadLabel}
        lines={3}
        value={example.payload}
        onChange={(payload) => onExample({ ...example, payload })}
        hint={payloadHint}
      />
      {digest && (
        <NumberField
          label="Example digest events"
          value={example.digestItems}
          onChange={(digestItems) => onExample({ ...example, digestItems })}
          hint="Each has the example payload; at most 100. If empty, templates see no digest."
        />
      )}
      <Failure error={error} />
      {shown && !shown.error && (
        <div className="stack" aria-live="polite">
          {(shown.from || shown.replyTo) && (
            <div className="soft">
              {[shown.from && `From ${shown.from}`, shown.replyTo && `Reply to ${shown.replyTo}`]
                .filter(Boolean)
                .join(' · ')}
            </div>
          )}
          {shown.subject && <strong>{shown.subject}</strong>}
          {shown.content &&
            (shown.content.html ? (
              <Mail html={shown.content.html} title="Preview of the mail" />
            ) : (
              <pre tabIndex={0}>{shown.content.text}</pre>
            ))}
          <div className="row">
            {shown.cta?.action?.buttons?.map((b) => (
              <span className="badge" key={b.type}>
                {b.content}
              </span>
            ))}
          </div>
        </div>
      )}
    </Card>
  )
}
