import { useState } from 'react'
import { parseJSON } from '../errors'
import { Text } from '../form'

/** A text field for JSON. onChange is called whenever the text is valid. */
export function JSONField({
  label,
  value,
  onChange,
  hint,
  at,
  lines = 4,
}: {
  label: string
  value: unknown
  onChange: (value: unknown) => void
  hint?: string
  at?: string
  lines?: number
}) {
  const [text, setText] = useState(value == null ? '' : JSON.stringify(value, null, 2))
  const [error, setError] = useState('')
  const type = (text: string) => {
    setText(text)
    try {
      onChange(parseJSON(text, label) ?? undefined)
      setError('')
    } catch (e) {
      setError((e as Error).message)
    }
  }
  return <Text label={`${label} (JSON)`} lines={lines} value={text} onChange={type} hint={hint} at={at} wrong={error} />
}

/** A text field for JSON that may be invalid meanwhile. */
export function JSONText(props: {
  label: string
  value: string
  onChange: (text: string) => void
  lines?: number
  readOnly?: boolean
  hint?: string
}) {
  return <Text {...props} />
}
