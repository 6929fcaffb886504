import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { APIError } from './errors'
import type { MemberRole } from './gql'
import { sanitizeMail } from './mail'
import { neighbours, type PageInfo, type Pages } from './pagination'
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
