import { useEffect, useState } from 'react'
import { request } from '../api'
import { parseJSON } from '../errors'
import { Text } from '../form'
import { PreviewStepDocument, type PreviewStepInput, type PreviewStepQuery, type WorkflowStepInput } from '../gql'
import { Card, Failure, Mail } from '../ui'

/** What the templates of a preview see. */
export type Example = { payload: string; subscriberId: string }

type Props = {
  step: WorkflowStepInput
  layout?: string
  /** Makes the payload when the example has none. */
  payloadSchema?: unknown
  example: Example
  onExample: (e: Example) => void
}

/** What a step would send, rendered by the server as sending does, while it is edited. */
export function Preview({ step, layout, payloadSchema, example, onExample }: Props) {
  const [shown, setShown] = useState<PreviewStepQuery['previewStep']>()
  const [error, setError] = useState<Error>()
  const key = JSON.stringify({ step, layout, payloadSchema, subscriberId: example.subscriberId || undefined })
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
        label="Example payload (JSON)"
        lines={3}
        value={example.payload}
        onChange={(payload) => onExample({ ...example, payload })}
        hint="If empty, one is made from the payload schema."
      />
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
