import { useEffect, useState } from 'react'
import { request } from '../api'
import { PreviewStepDocument, type PreviewStepQuery, type WorkflowStepInput } from '../gql'
import { Card, Failure, Mail, Text, parseJSON } from '../ui'

/** What a step would send, rendered by the server as sending does, while it is edited. */
export function Preview({ step }: { step: WorkflowStepInput }) {
  const [payload, setPayload] = useState('{}')
  const [subscriberId, setSubscriber] = useState('')
  const [shown, setShown] = useState<PreviewStepQuery['previewStep']>()
  const [error, setError] = useState<Error>()
  const key = JSON.stringify(step)
  useEffect(() => {
    let wanted = true
    const timer = setTimeout(async () => {
      try {
        const input = { step: JSON.parse(key) as WorkflowStepInput, payload: parseJSON(payload, 'The payload'), subscriberId: subscriberId || undefined }
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
  }, [key, payload, subscriberId])
  return (
    <Card title="Preview">
      <div className="filters">
        <Text label="Example subscriber" value={subscriberId} onChange={setSubscriber} hint="Somebody invented when left empty." />
      </div>
      <Text label="Example payload (JSON)" lines={3} value={payload} onChange={setPayload} />
      <Failure error={error} />
      {shown && !shown.error && (
        <div className="stack" aria-live="polite">
          {(shown.from || shown.replyTo) && <div className="soft">{[shown.from && `From ${shown.from}`, shown.replyTo && `Reply to ${shown.replyTo}`].filter(Boolean).join(' · ')}</div>}
          {shown.subject && <strong>{shown.subject}</strong>}
          {shown.content && (shown.content.html ? <Mail html={shown.content.html} title="Preview of the mail" /> : <pre tabIndex={0}>{shown.content.text}</pre>)}
          <div className="row">{shown.cta?.action?.buttons?.map((b) => <span className="badge" key={b.type}>{b.content}</span>)}</div>
        </div>
      )}
    </Card>
  )
}
