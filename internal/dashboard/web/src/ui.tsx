import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { Action } from './api'
import type { MemberRole } from './gql'
import { useMay } from './role'

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

/** A failure, told to screen readers at once. */
export function Failure({ error }: { error?: Error }) {
  return error ? (
    <div className="note bad" role="alert">
      {error.message}
    </div>
  ) : null
}

/** What is shown of something that loads: a failure, a wait, or the data. */
export function Load<R>({ of, children }: { of: { data?: R; error?: Error; loading: boolean }; children: (data: R) => ReactNode }) {
  return (
    <>
      <Failure error={of.error} />
      {of.data ? children(of.data) : of.loading && <p className="soft">Loading …</p>}
    </>
  )
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
      {hint && <small className="soft">{hint}</small>}
    </label>
  )
}

type TextProps = {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  lines?: number
  type?: string
  required?: boolean
  placeholder?: string
  list?: readonly string[]
  autoComplete?: string
  readOnly?: boolean
  invalid?: boolean
}

/** A text that somebody types. */
export function Text({ label, value, onChange, hint, lines, list, type = 'text', invalid, ...others }: TextProps) {
  const rest = { ...others, 'aria-invalid': invalid || undefined }
  const id = useId()
  return (
    <Field label={label} hint={hint}>
      {lines ? (
        <textarea rows={lines} value={value} onChange={(e) => onChange(e.target.value)} spellCheck={false} {...rest} />
      ) : (
        <input type={type} value={value} onChange={(e) => onChange(e.target.value)} list={list ? id : undefined} {...rest} />
      )}
      {list && (
        <datalist id={id}>
          {list.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </Field>
  )
}

/** A number that somebody types; undefined when there is none. */
export function NumberField({ label, value, onChange, hint }: { label: string; value?: number | null; onChange: (value?: number) => void; hint?: string }) {
  return <Text label={label} type="number" value={value == null ? '' : String(value)} onChange={(text) => onChange(text === '' ? undefined : parseFloat(text))} hint={hint} />
}

type Option = string | { value: string; label: string }

export function Select({ label, value, onChange, options, hint }: { label: string; value: string; onChange: (value: string) => void; options: readonly Option[]; hint?: string }) {
  return (
    <Field label={label} hint={hint}>
      <select value={value} onChange={(e) => onChange(e.target.value)}>
        {options.map((o) => {
          const { value, label } = typeof o === 'string' ? { value: o, label: words(o) } : o
          return (
            <option key={value} value={value}>
              {label}
            </option>
          )
        })}
      </select>
    </Field>
  )
}

export function Check({ label, value, onChange, disabled }: { label: string; value: boolean; onChange: (value: boolean) => void; disabled?: boolean }) {
  return (
    <label className="check">
      <input type="checkbox" checked={value} disabled={disabled} onChange={(e) => onChange(e.target.checked)} />
      {label}
    </label>
  )
}

/** On or off, at once. Who may not change it reads it. */
export function Switch({ label, on, onChange, busy, shown = on ? 'On' : 'Off', needs = 'EDITOR' }: { label: string; on: boolean; onChange: (on: boolean) => void; busy?: boolean; shown?: string; needs?: MemberRole }) {
  if (!useMay(needs)) return <Badge>{shown}</Badge>
  return (
    <button type="button" className="switch" role="switch" aria-checked={on} aria-label={label} disabled={busy} onClick={() => onChange(!on)}>
      {shown}
    </button>
  )
}

type Column<T> = { name: string; cell: (row: T) => ReactNode }

/** A table on wide screens, one block per row on narrow ones. */
export function Table<T>({ label, rows, columns, id, empty = 'There is nothing here yet.' }: { label: string; rows: readonly T[]; columns: Column<T>[]; id: (row: T) => string; empty?: string }) {
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

/** Leads through the pages of a list by cursor. */
export function usePager(reset: string) {
  const [trail, setTrail] = useState<string[]>([])
  const [seen, setSeen] = useState(reset)
  if (seen !== reset) {
    setSeen(reset)
    setTrail([])
  }
  return {
    after: trail.at(-1),
    first: trail.length === 0,
    next: (cursor: string) => setTrail([...trail, cursor]),
    back: () => setTrail(trail.slice(0, -1)),
  }
}

export function Pager({ pager, info }: { pager: ReturnType<typeof usePager>; info: { hasNextPage: boolean; endCursor: string | null } }) {
  if (pager.first && !info.hasNextPage) return null
  return (
    <nav className="row" aria-label="Pages">
      <button type="button" disabled={pager.first} onClick={pager.back}>
        Previous
      </button>
      <button type="button" disabled={!info.hasNextPage} onClick={() => info.endCursor && pager.next(info.endCursor)}>
        Next
      </button>
    </nav>
  )
}

/** A form that runs an action and shows what went wrong. Who may not run it reads what it says. */
export function Form({ onSubmit, action, submit, children, needs = 'EDITOR' }: { onSubmit: () => void; action: Pick<Action<never>, 'busy' | 'error'>; submit: string; children: ReactNode; needs?: MemberRole }) {
  const may = useMay(needs)
  return (
    <form
      className="stack"
      onSubmit={(e) => {
        e.preventDefault()
        onSubmit()
      }}
    >
      <fieldset className="plain" disabled={!may}>
        {children}
      </fieldset>
      <Failure error={action.error} />
      {may && (
        <div className="row end">
          <button className="main" disabled={action.busy}>
            {submit}
          </button>
        </div>
      )}
    </form>
  )
}

/** Stands above the page until it is closed; then the focus returns to where it was. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    <dialog ref={ref} aria-label={title} onClose={onClose}>
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
export function Confirm({ label, question, onConfirm, busy, needs = 'EDITOR' }: { label: string; question: string; onConfirm: () => void; busy?: boolean; needs?: MemberRole }) {
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

export function Facts({ of }: { of: [string, ReactNode][] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value ?? <span className="soft">–</span>}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Sections of one record, each at an address of its own. */
export function Tabs({ label, tabs, current }: { label: string; tabs: [name: string, href: string][]; current: string }) {
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

/** A mail as its reader would see it: without scripts, and without asking other servers for pictures. */
export function Mail({ html, title }: { html: string; title: string }) {
  const document = new DOMParser().parseFromString(html, 'text/html')
  for (const e of document.querySelectorAll('script, link, iframe, object, embed, base, meta[http-equiv], form')) e.remove()
  for (const e of document.querySelectorAll('[srcset], [background], [poster]')) for (const name of ['srcset', 'background', 'poster']) e.removeAttribute(name)
  for (const e of document.querySelectorAll('[src]')) if (!e.getAttribute('src')!.startsWith('data:')) e.removeAttribute('src')
  for (const e of document.querySelectorAll('*')) for (const a of [...e.attributes]) if (a.name.startsWith('on')) e.removeAttribute(a.name)
  return <iframe className="mail" sandbox="" title={title} srcDoc={document.documentElement.outerHTML} />
}

/** An upper-case name of the API as people write it. */
export function words(name: string): string {
  const text = name.toLowerCase().replaceAll('_', ' ')
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/^Sms$/, 'SMS').replace(/^In app$/, 'In-app').replace(/^Email$/, 'E-mail')
}

/** What somebody typed as JSON; a failure that names the field otherwise. */
export function parseJSON(text: string, field: string): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${field} is not JSON: ${(error as Error).message}`)
  }
}
