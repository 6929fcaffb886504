import type { PreviewStepQuery, WorkflowStepInput } from '../gql'
import { Chat } from './chat'
import { Email } from './email'
import { InApp } from './in-app'
import { Push, SMS } from './phone'
import './previews.css'

/** What a step would send, rendered. */
export type Rendered = PreviewStepQuery['previewStep']

/** A rendered step as its reader would see it. */
export default function Shown({ step, of }: { step: WorkflowStepInput; of: Rendered }) {
  const text = of.content?.text ?? ''
  switch (step.type) {
    case 'EMAIL':
      return <Email of={of} />
    case 'IN_APP':
      return <InApp of={of} />
    case 'SMS':
      return <SMS text={text} />
    case 'PUSH':
      return <Push title={of.subject ?? ''} text={text} />
    default:
      return <Chat text={text} />
  }
}
