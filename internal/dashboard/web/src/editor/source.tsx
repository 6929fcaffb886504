import { useState } from 'react'
import type { WorkflowDefinitionInput } from '../gql'
import { Card, Failure, Text, parseJSON } from '../ui'

/** The whole draft as JSON, to take it elsewhere or bring it from there. */
export function Source({ definition, onChange }: { definition: WorkflowDefinitionInput; onChange: (d: WorkflowDefinitionInput) => void }) {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<Error>()
  const apply = () => {
    try {
      onChange(parseJSON(text ?? '', 'The definition') as WorkflowDefinitionInput)
      setText(undefined)
      setError(undefined)
    } catch (e) {
      setError(e as Error)
    }
  }
  const shown = text !== undefined
  return (
    <Card
      title="Definition as JSON"
      actions={
        <button type="button" onClick={shown ? apply : () => setText(JSON.stringify(definition, null, 2))}>
          {shown ? 'Take over' : 'Edit as JSON'}
        </button>
      }
    >
      <p className="soft small">The same as above in one text, to copy it to another environment.</p>
      <Failure error={error} />
      {shown && <Text label="Definition" lines={20} value={text} onChange={setText} />}
    </Card>
  )
}
