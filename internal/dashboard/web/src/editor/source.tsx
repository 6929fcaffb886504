import { useState } from 'react'
import { Button } from '../button'
import { parseJSON } from '../errors'
import type { WorkflowDefinitionInput } from '../gql'
import { useMay } from '../role'
import { t } from '../text/text'
import { Failure } from '../ui'
import { JSONText } from './json'

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
  const [schema, setSchema] = useState<unknown>()
  const show = () => {
    setText(JSON.stringify(definition, null, 2))
    import('./definition.json').then(
      (m) => setSchema(m.default),
      () => {}, // without it nothing is completed
    )
  }
  const apply = () => {
    try {
      onChange(parseJSON(text ?? '', t('source.theDefinition')) as WorkflowDefinitionInput)
      setText(undefined)
      setError(undefined)
    } catch (e) {
      setError(e as Error)
    }
  }
  const shown = text !== undefined
  const may = useMay('EDITOR')
  const toggle = shown ? (may ? apply : () => setText(undefined)) : show
  return (
    <>
      <p className="soft small">{t('source.theWholeDefinitionForExample')}</p>
      <Failure error={error} />
      {shown && (
        <JSONText
          label={t('source.definition')}
          lines={20}
          schema={schema}
          value={text}
          onChange={setText}
          readOnly={!may}
        />
      )}
      <div className="row">
        <Button onClick={toggle}>
          {shown ? (may ? t('source.apply') : t('source.hide')) : may ? t('source.editAsJSON') : t('source.showAsJSON')}
        </Button>
      </div>
    </>
  )
}
