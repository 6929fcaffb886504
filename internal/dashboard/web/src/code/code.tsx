import { useContext, useEffect, useId, useRef, useState } from 'react'
import { Field, Locked } from '../form'
import type { Knowledge } from './knowledge'

export type CodeProps = {
  label: string
  value: string
  onChange: (value: string) => void
  language: 'json' | 'liquid' | 'html'
  at?: string
  /** What is wrong with the text itself, which keeps its form from being sent. */
  wrong?: string
  hint?: string
  lines?: number
  placeholder?: string
  readOnly?: boolean
  required?: boolean
  knows?: Knowledge
}

let loaded: typeof import('./editor') | undefined

/**
 * A field for code. It is a text area until the editor is loaded, which is as high, and stays one when the editor cannot be had. at
 * is its path in the input of the mutation.
 */
export function Code({ label, hint, at, wrong, lines = 4, readOnly, required, knows, ...rest }: CodeProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const focused = useRef(false)
  const [module, setModule] = useState(loaded)
  const locked = useContext(Locked) || readOnly
  useEffect(() => {
    let wanted = true
    import('./editor').then(
      (m) => {
        loaded = m
        focused.current = area.current !== null && document.activeElement === area.current
        if (wanted) setModule(m)
      },
      () => {},
    )
    return () => {
      wanted = false
    }
  }, [])
  const size = { height: `calc(${lines * 1.5}em + 0.75rem)`, minHeight: '6rem', fontSize: '0.92em' }
  return (
    <Field label={label} hint={hint} at={at} wrong={wrong} apart={id}>
      {(said, messages) =>
        module ? (
          <module.Editor
            {...rest}
            id={id}
            label={label}
            size={size}
            numbered={rest.language !== 'liquid'}
            readOnly={locked}
            required={required}
            stops={!!wrong}
            said={said}
            messages={messages}
            focused={focused.current}
            knows={knows}
          />
        ) : (
          <textarea
            ref={(e) => {
              area.current = e
              e?.setCustomValidity(wrong ?? '')
            }}
            id={id}
            dir="auto"
            value={rest.value}
            onChange={(e) => rest.onChange(e.target.value)}
            placeholder={rest.placeholder}
            required={required}
            readOnly={locked}
            spellCheck={false}
            style={size}
            {...said}
          />
        )
      }
    </Field>
  )
}
