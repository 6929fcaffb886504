import { createContext, type ReactNode, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Action } from './api'
import { APIError, type FieldError, joinPath, messagesAt } from './errors'
import type { MemberRole } from './gql'
import { sanitizeMail } from './mail'
import { neighbours, type PageInfo, type Pages } from './pagination'
import { useMay } from './role'
import { words } from './words'

export type Tone = 'good' | 'bad' | 'wait' | ''

/** One page: its heading, its actions, its content. The document's title follows. */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Carillon`
  }, [title])
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
        {actions && <div className="row">{actions}</div>}
      </div>
      {children}
    </>
  )
}

export function Card({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="card stack">
      {(title || actions) && (
        <div className="head">
          {title && <h2>{title}</h2>}
          {actions && <div className="row">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

export function Badge({ tone = '', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}

/** An error, announced to screen readers. */
export function Failure({ error }: { error?: Error }) {
  if (!error) return null
  const fields = error instanceof APIError ? error.fields : []
  return (
    <div className="note bad" role="alert">
      {fields.length === 0 ? (
        error.message
      ) : (
        <>
          Please correct these fields:
          <ul>
            {fields.map((f, i) => (
              <li key={i}>
                <code>{f.path}</code> {f.message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** What is shown of something that loads: a failure, a wait, or the data. */
export function Load<R>({
  of,
  children,
}: {
  of: { data?: R; error?: Error; loading: boolean; reload: () => void }
  children: (data: R) => ReactNode
}) {
  return (
    <>
      <Failure error={of.error} />
      {of.error && (
        <div>
          <button type="button" disabled={of.loading} onClick={of.reload}>
            Try again
          </button>
        </div>
      )}
      {of.data ? children(of.data) : of.loading && <p className="soft">Loading …</p>}
    </>
  )
}

const Wrong = createContext<{ fields: readonly FieldError[]; path: string }>({ fields: [], path: '' })

/** Fields whose failures those of error are; each shows its own. */
export function WrongFields({ error, children }: { error?: Error; children: ReactNode }) {
  return <Wrong value={{ fields: error instanceof APIError ? error.fields : [], path: '' }}>{children}</Wrong>
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

type Said = { 'aria-invalid'?: true; 'aria-describedby'?: string }

/** A label above its control, below it what helps and what is wrong. */
export function Field({
  label,
  hint,
  at,
  wrong: own = '',
  children,
}: {
  label: string
  hint?: string
  at?: string
  wrong?: string
  children: (said: Said) => ReactNode
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
      {/* biome-ignore lint/a11y/noLabelWithoutControl: children returns the control. */}
      <label>
        <span>{label}</span>
        {children(said)}
      </label>
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

type TextProps = {
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
}

/** A text input. at is its path in the input of the mutation, by which the server reports errors. */
export function Text({ label, value, onChange, at, wrong, hint, lines, type = 'text', ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} at={at} wrong={wrong}>
      {(said) =>
        lines ? (
          <textarea
            dir="auto"
            rows={lines}
            value={value}
            onChange={(e) => onChange(e.target.value)}
            spellCheck={false}
            {...said}
            {...rest}
          />
        ) : (
          <input dir="auto" type={type} value={value} onChange={(e) => onChange(e.target.value)} {...said} {...rest} />
        )
      }
    </Field>
  )
}

/** A number input; undefined when it is empty. */
export function NumberField({
  label,
  value,
  onChange,
  hint,
  at,
}: {
  label: string
  value?: number | null
  onChange: (value?: number) => void
  hint?: string
  at?: string
}) {
  return (
    <Text
      label={label}
      type="number"
      value={value == null ? '' : String(value)}
      onChange={(text) => onChange(text === '' ? undefined : parseFloat(text))}
      hint={hint}
      at={at}
      step="any"
    />
  )
}

type Option = string | { value: string; label: string }

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

/** What only those may change who have the role; the others read it. */
export function Changeable({ needs = 'EDITOR', children }: { needs?: MemberRole; children: ReactNode }) {
  return (
    <fieldset className="plain" disabled={!useMay(needs)}>
      {children}
    </fieldset>
  )
}

/** On or off, at once. Who may not change it reads it. */
export function Switch({
  label,
  on,
  onChange,
  busy,
  shown = on ? 'On' : 'Off',
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

type Column<T> = { name: string; cell: (row: T) => ReactNode }

/** A table on wide screens, one block per row on narrow ones. */
export function Table<T>({
  label,
  rows,
  columns,
  id,
  empty = 'Nothing here yet.',
}: {
  label: string
  rows: readonly T[]
  columns: Column<T>[]
  id: (row: T) => string
  empty?: string
}) {
  if (rows.length === 0) return <p className="soft">{empty}</p>
  return (
    <table className="wide">
      <caption className="hidden">{label}</caption>
      <thead>
        <tr>
          {columns.map((c) => (
            <th key={c.name} scope="col">
              {c.name || <span className="hidden">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={id(row)}>
            {columns.map((c) => (
              <td key={c.name} data-label={c.name}>
                {c.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function Pager({ pager, info }: { pager: Pages; info: PageInfo }) {
  const { previous, next } = neighbours(pager, info)
  if (!previous && !next) return null
  return (
    <nav className="row" aria-label="Pages">
      <button type="button" disabled={!previous} onClick={() => previous && pager.go(previous)}>
        Previous
      </button>
      <button type="button" disabled={!next} onClick={() => next && pager.go(next)}>
        Next
      </button>
    </nav>
  )
}

/** A form that runs an action and shows what went wrong. Who may not run it reads what it says. */
export function Form({
  onSubmit,
  action,
  submit,
  children,
  needs = 'EDITOR',
}: {
  onSubmit: () => void
  action: Pick<Action<never>, 'busy' | 'error'>
  submit: string
  children: ReactNode
  needs?: MemberRole
}) {
  const may = useMay(needs)
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new error moves the focus.
  useEffect(() => showWrong(form.current), [action.error])
  return (
    <form
      ref={form}
      className="stack"
      onSubmit={(e) => {
        e.preventDefault()
        if (!action.busy) onSubmit()
      }}
    >
      <WrongFields error={action.error}>
        <Changeable needs={needs}>{children}</Changeable>
      </WrongFields>
      <Failure error={action.error} />
      {may && (
        <div className="row end">
          <button type="submit" className="main" disabled={action.busy}>
            {submit}
          </button>
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

/** A modal dialog. The focus returns to where it was when it is closed. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    <dialog ref={ref} aria-label={title} onClose={(e) => e.target === ref.current && onClose()}>
      <div className="stack">
        <div className="head">
          <h2>{title}</h2>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** A button that asks once more. */
export function Confirm({
  label,
  question,
  onConfirm,
  busy,
  needs = 'EDITOR',
}: {
  label: string
  question: string
  onConfirm: () => void
  busy?: boolean
  needs?: MemberRole
}) {
  const [open, setOpen] = useState(false)
  if (!useMay(needs)) return null
  return (
    <>
      <button type="button" className="danger" disabled={busy} onClick={() => setOpen(true)}>
        {label}
      </button>
      {open && (
        <Dialog title={label} onClose={() => setOpen(false)}>
          <p>{question}</p>
          <div className="row end">
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                setOpen(false)
                onConfirm()
              }}
            >
              {label}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export function Time({ at }: { at?: string | null }) {
  return at ? (
    <time dateTime={at} title={at}>
      {clock.format(new Date(at))}
    </time>
  ) : (
    <span className="soft">–</span>
  )
}

export function JSONView({ value, label }: { value: unknown; label: string }) {
  return (
    <pre tabIndex={0} role="region" aria-label={label}>
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}

export function Facts({ of }: { of: Record<string, ReactNode> }) {
  return (
    <dl className="facts">
      {Object.entries(of).map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value ?? <span className="soft">–</span>}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Sections of one record, each at an address of its own. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string
  tabs: [name: string, href: string][]
  current: string
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([name, href]) => (
        <Link key={name} href={href} aria-current={name === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

/**
 * A mail as its reader would see it: without scripts, and without asking other servers for pictures. Its links open in a tab
 * that knows nothing of this one.
 */
export function Mail({ html, title }: { html: string; title: string }) {
  return (
    <iframe
      className="mail"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      title={title}
      srcDoc={sanitizeMail(html)}
    />
  )
}

/** Something that is shown once and never again. */
export function Fresh({ what, secret }: { what: string; secret: string }) {
  const [copied, setCopied] = useState('')
  const shown = useRef<HTMLElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied('Copied.')
    } catch {
      getSelection()?.selectAllChildren(shown.current!) // browsers grant the clipboard over https alone
      setCopied('Selected. Press Ctrl+C to copy.')
    }
  }
  return (
    <div role="status">
      {secret && (
        <div className="note good">
          {what} is shown only once: <code ref={shown}>{secret}</code>{' '}
          <button type="button" onClick={copy}>
            Copy
          </button>{' '}
          {copied}
        </div>
      )}
    </div>
  )
}
