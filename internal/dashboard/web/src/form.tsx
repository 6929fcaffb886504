import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState, type WheelEvent } from 'react'
import { Button } from './button'
import { Conflict } from './conflict'
import type { Edit } from './edited'
import { APIError, type FieldError, joinPath, messagesAt } from './errors'
import type { MemberRole } from './gql'
import { useMark } from './marks'
import { InDialog } from './overlay'
import { ReadOnly, useMay } from './role'
import { t } from './text/text'
import { Badge, Failure } from './ui'
import { words } from './words'

const Wrong = createContext<{ fields: readonly FieldError[]; path: string }>({ fields: [], path: '' })

/** Fields whose failures are those of error, or these; each shows its own. */
export function WrongFields({
  error,
  fields = error instanceof APIError ? error.fields : [],
  children,
}: {
  error?: Error
  fields?: readonly FieldError[]
  children: ReactNode
}) {
  return <Wrong value={{ fields, path: '' }}>{children}</Wrong>
}

/** Fields whose paths lie below one. */
export function Within({ path, children }: { path: string; children: ReactNode }) {
  const outer = useContext(Wrong)
  return <Wrong value={{ ...outer, path: joinPath(outer.path, path) }}>{children}</Wrong>
}

/** What is wrong with the field at a path; '' when it is right. */
function useWrong(at?: string): string {
  const { fields, path } = useContext(Wrong)
  if (at === undefined) return ''
  return messagesAt(fields, joinPath(path, at))
}

export type Said = { 'aria-invalid'?: true; 'aria-describedby'?: string }

/**
 * A label above its control, below it what helps and what is wrong. The label lies around the control; apart: beside the one with
 * this id.
 */
export function Field({
  label,
  hint,
  at,
  wrong: own = '',
  apart,
  children,
}: {
  label: string
  hint?: string
  at?: string
  wrong?: string
  apart?: string
  children: (said: Said, wrong: string) => ReactNode
}) {
  const reported = useWrong(at)
  const wrong = own || reported
  const id = useId()
  const said: Said = {
    'aria-invalid': wrong ? true : undefined,
    'aria-describedby': [hint && `${id}hint`, wrong && `${id}wrong`].filter(Boolean).join(' ') || undefined,
  }
  return (
    <div className="field">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: what a label does by itself for other controls. */}
      <label htmlFor={apart} onClick={apart ? () => document.getElementById(apart)?.focus() : undefined}>
        <span>{label}</span>
        {!apart && children(said, wrong)}
      </label>
      {apart && children(said, wrong)}
      {hint && (
        <small className="soft" id={`${id}hint`}>
          {hint}
        </small>
      )}
      {wrong && (
        <small className="wrong" id={`${id}wrong`} role={own ? 'alert' : undefined}>
          {wrong}
        </small>
      )}
    </div>
  )
}

/** What is chosen, with what it is called where that differs. */
export type Option = string | { value: string; label: string }

export type TextProps = {
  label: string
  value: string
  onChange: (value: string) => void
  at?: string
  wrong?: string
  hint?: string
  lines?: number
  type?: string
  required?: boolean
  placeholder?: string
  autoComplete?: string
  autoFocus?: boolean
  readOnly?: boolean
  min?: number
  step?: string
  /** What is offered while one types. */
  choices?: readonly Option[]
  onFocus?: () => void
}

// Browsers change a number that has the focus when the wheel turns above it, though the page is meant to be scrolled.
const unmoved = (e: WheelEvent<HTMLInputElement>) => e.currentTarget.blur()

/**
 * A text input. at is its path in the input of the mutation, by which the server reports errors; wrong is what is wrong with
 * the text itself, which keeps its form from being sent.
 */
export function Text({ label, value, onChange, at, wrong, hint, lines, type = 'text', choices, ...rest }: TextProps) {
  const list = useId()
  const offered = choices && choices.length > 0 ? list : undefined
  const check = (e: HTMLInputElement | HTMLTextAreaElement | null) => e?.setCustomValidity(wrong ?? '')
  return (
    <Field label={label} hint={hint} at={at} wrong={wrong}>
      {(said) =>
        lines ? (
          <textarea
            ref={check}
            dir="auto"
            rows={lines}
            value={value}
            onChange={(e) => onChange(e.target.value)}
            spellCheck={false}
            {...said}
            {...rest}
          />
        ) : (
          <>
            <input
              ref={check}
              dir="auto"
              type={type}
              value={value}
              list={offered}
              onChange={(e) => onChange(e.target.value)}
              onWheel={type === 'number' ? unmoved : undefined}
              {...said}
              {...rest}
            />
            {offered && (
              <datalist id={offered}>
                {choices?.map((choice) => {
                  const { value, label } = typeof choice === 'string' ? { value: choice } : choice
                  return <option key={value} value={value} label={label} />
                })}
              </datalist>
            )}
          </>
        )
      }
    </Field>
  )
}

/**
 * A number input; undefined when it is empty. Firefox accepts any text in it, and others what may become a number, such as 1e: as long as
 * it is none, onChange is not called and the field says so.
 */
export function NumberField({
  label,
  value,
  onChange,
  hint,
  at,
  required,
}: {
  label: string
  value?: number | null
  onChange: (value?: number) => void
  hint?: string
  at?: string
  required?: boolean
}) {
  const [before, setBefore] = useState<{ value?: number | null }>() // what was stored when the text became no number
  const bad = before !== undefined && before.value === value
  const wrong = bad ? t('ui.number') : ''
  return (
    <Field label={label} hint={hint} at={at} wrong={wrong}>
      {(said) => (
        <input
          ref={(e) => e?.setCustomValidity(wrong)}
          dir="auto"
          type="number"
          step="any"
          // Of a text that is no number, the value is '': with any other value here the text would be replaced.
          value={bad || value == null ? '' : String(value)}
          // Not onChange, which React leaves out where one text that is no number follows another, or nothing.
          onInput={({ currentTarget: input }) => {
            const { badInput } = input.validity
            setBefore(badInput ? { value } : undefined)
            if (!badInput) onChange(input.value === '' ? undefined : parseFloat(input.value))
          }}
          onChange={() => {}}
          onWheel={unmoved}
          required={required}
          {...said}
        />
      )}
    </Field>
  )
}

export function Select({
  label,
  value,
  onChange,
  options,
  hint,
  at,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly Option[]
  hint?: string
  at?: string
}) {
  return (
    <Field label={label} hint={hint} at={at}>
      {(said) => (
        <select value={value} onChange={(e) => onChange(e.target.value)} {...said}>
          {options.map((o) => {
            const { value, label } = typeof o === 'string' ? { value: o, label: words(o) } : o
            return (
              <option key={value} value={value}>
                {label}
              </option>
            )
          })}
        </select>
      )}
    </Field>
  )
}

export function Check({
  label,
  value,
  onChange,
  disabled,
  at,
}: {
  label: string
  value: boolean
  onChange: (value: boolean) => void
  disabled?: boolean
  at?: string
}) {
  const wrong = useWrong(at)
  const id = useId()
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={value}
          disabled={disabled}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? id : undefined}
          onChange={(e) => onChange(e.target.checked)}
        />
        {label}
      </label>
      {wrong && (
        <small className="wrong" id={id}>
          {wrong}
        </small>
      )}
    </div>
  )
}

/** Whether what lies below is read only. */
export const Locked = createContext(false)

/** What only those may change who have the role; the others read it. */
export function Changeable({ needs = 'EDITOR', children }: { needs?: MemberRole; children: ReactNode }) {
  const locked = !useMay(needs)
  return (
    <fieldset className="plain" disabled={locked}>
      <Locked value={locked}>{children}</Locked>
    </fieldset>
  )
}

/** On or off, at once. Who may not change it reads it. */
export function Switch({
  label,
  on,
  onChange,
  busy,
  shown = on ? t('ui.switchedOn') : t('common.off'),
  needs = 'EDITOR',
}: {
  label: string
  on: boolean
  onChange: (on: boolean) => void
  busy?: boolean
  shown?: string
  needs?: MemberRole
}) {
  if (!useMay(needs)) return <Badge>{shown}</Badge>
  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={busy}
      onClick={() => onChange(!on)}
    >
      {shown}
    </button>
  )
}

/** A form that runs an action and shows what went wrong, or what it would overwrite. Who may not run it reads what it says. */
export function Form({
  onSubmit,
  action,
  submit,
  children,
  needs = 'EDITOR',
}: {
  onSubmit: () => void
  action: Edit
  submit: string
  children: ReactNode
  needs?: MemberRole
}) {
  const may = useMay(needs)
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState(false)
  useMark(useContext(InDialog) && typed, location.pathname, true) // a form outside of dialogs has a page that asks
  useEffect(() => {
    if (action.error) setTyped(true)
  }, [action.error])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new error moves the focus.
  useEffect(() => showWrong(form.current), [action.error])
  return (
    <form
      ref={form}
      className="stack"
      onInput={() => setTyped(true)}
      onSubmit={(e) => {
        e.preventDefault()
        const stopped = e.currentTarget.querySelector('[data-stops]')
        if (stopped) showWrong(stopped)
        else if (!action.busy) {
          setTyped(false) // what it leads to is no loss
          onSubmit()
        }
      }}
    >
      <WrongFields error={action.error} fields={action.conflict?.fields}>
        <Changeable needs={needs}>{children}</Changeable>
      </WrongFields>
      <Failure error={action.error} />
      {action.conflict && <Conflict onTheirs={action.conflict.onTheirs} onMine={action.conflict.onMine} />}
      <ReadOnly needs={needs} />
      {may && (
        <div className="row end">
          <Button type="submit" look="primary" disabled={action.busy}>
            {submit}
          </Button>
        </div>
      )}
    </form>
  )
}

/** Puts the focus on the first field that is wrong. */
export function showWrong(place: ParentNode | null) {
  const first = place?.querySelector<HTMLElement>('[aria-invalid]')
  for (let e = first?.closest('details'); e; e = e.parentElement?.closest('details')) e.open = true
  first?.focus()
}
