import { useMemo, useState } from 'react'
import { Code, type CodeProps } from '../code/code'
import type { Template } from '../code/knowledge'
import { parseJSON } from '../errors'

type Props = Pick<CodeProps, 'label' | 'hint' | 'at' | 'lines' | 'readOnly'> & {
  /** The JSON Schema of the value where it is known, or what the value is: a JSON Schema itself, a rule over subscribers. */
  schema?: unknown
  /** What templates in its texts see. */
  template?: Template
}

/** A field for JSON. onChange is called whenever the text is valid. */
export function JSONField({
  label,
  value,
  onChange,
  ...rest
}: Props & { value: unknown; onChange: (value: unknown) => void }) {
  const [text, setText] = useState(value == null ? '' : JSON.stringify(value, null, 2))
  const type = (text: string) => {
    setText(text)
    if (!faultOf(text, label)) onChange(parseJSON(text, label) ?? undefined)
  }
  return <JSONText {...rest} label={label} value={text} onChange={type} />
}

/** A field for JSON that may be invalid meanwhile; it says so, and its form is not sent. */
export function JSONText({
  label,
  schema,
  template,
  ...rest
}: Props & { value: string; onChange: (text: string) => void }) {
  const knows = useMemo(() => ({ schema, template }), [schema, template])
  const wrong = useMemo(() => faultOf(rest.value, label), [rest.value, label])
  return <Code {...rest} label={`${label} (JSON)`} wrong={wrong} language="json" knows={knows} />
}

/** Why a text is no JSON; '' for JSON and nothing. */
function faultOf(text: string, field: string): string {
  try {
    parseJSON(text, field)
    return ''
  } catch (e) {
    return (e as Error).message
  }
}
