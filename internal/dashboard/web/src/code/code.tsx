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
  /** Whether it is one line, which looks as other inputs do. */
  line?: boolean
  placeholder?: string
  readOnly?: boolean
  required?: boolean
  knows?: Knowledge
}

/** What is selected of a text, in characters from its beginning; the cursor is at head. */
export type Caret = { anchor: number; head: number }

let loaded: typeof import('./editor') | undefined

/**
 * A field for code. It is a plain input until the editor is loaded, which is as high, and stays one when the editor cannot be had. at
 * is its path in the input of the mutation.
 */
export function Code({ label, hint, at, wrong, lines = 4, line, readOnly, required, knows, ...rest }: CodeProps) {
  const id = useId()
  const area = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const caret = useRef<Caret>(undefined)
  const [module, setModule] = useState(loaded)
  const locked = useContext(Locked) || readOnly
  useEffect(() => {
    let wanted = true
    import('./editor').then(
      (m) => {
        loaded = m
        const plain = area.current
        if (plain && document.activeElement === plain)
          caret.current = { anchor: plain.selectionStart ?? 0, head: plain.selectionEnd ?? 0 }
        if (wanted) setModule(m)
      },
      () => {},
    )
    return () => {
      wanted = false
    }
  }, [])
  const size = line
    ? { minHeight: 'var(--control)' }
    : { height: `calc(${lines * 1.5}em + 0.75rem)`, minHeight: '6rem', fontSize: '0.92em' }
  const Area = line ? 'input' : 'textarea'
  return (
    <Field label={label} hint={hint} at={at} wrong={wrong} apart={id}>
      {(said, messages) =>
        module ? (
          <module.Editor
            {...rest}
            id={id}
            label={label}
            size={size}
            line={line}
            numbered={rest.language !== 'liquid'}
            readOnly={locked}
            required={required}
            stops={!!wrong}
            said={said}
            messages={messages}
            caret={caret.current}
            knows={knows}
          />
        ) : (
          <Area
            ref={(e: HTMLInputElement | HTMLTextAreaElement | null) => {
              area.current = e
              e?.setCustomValidity(wrong ?? '')
            }}
            id={id}
            dir="auto"
            value={rest.value}
            onChange={(e: { target: { value: string } }) => rest.onChange(e.target.value)}
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
