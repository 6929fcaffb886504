import { useState } from 'react'
import { Button } from '../button'
import { parseJSON } from '../errors'
import { Text } from '../form'
import type { WorkflowDefinitionInput } from '../gql'
import { useMay } from '../role'
import { Card, Failure } from '../ui'

/** The whole draft as JSON, to take it elsewhere or bring it from there. */
export function Source({
  definition,
  onChange,
}: {
  definition: WorkflowDefinitionInput
  onChange: (d: WorkflowDefinitionInput) => void
}) {
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
  const may = useMay('EDITOR')
  const toggle = shown ? (may ? apply : () => setText(undefined)) : () => setText(JSON.stringify(definition, null, 2))
  return (
    <Card
      title="Definition as JSON"
      actions={
        <Button onClick={toggle}>{shown ? (may ? 'Apply' : 'Hide') : may ? 'Edit as JSON' : 'Show as JSON'}</Button>
      }
    >
      <p className="soft small">The whole definition, for example to copy it to another environment.</p>
      <Failure error={error} />
      {shown && <Text label="Definition" lines={20} value={text} onChange={setText} readOnly={!may} />}
    </Card>
  )
}
