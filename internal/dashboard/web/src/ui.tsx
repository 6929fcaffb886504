import {
  ChevronLeft,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  Copy,
  Inbox,
  Info,
  type LucideIcon,
  RotateCw,
  SearchX,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { Button } from './button'
import { APIError } from './errors'
import { neighbours, type PageInfo, type Pages } from './pagination'
import { language, t } from './text/text'
import { exact, relative } from './time'

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

export function Card({
  title,
  actions,
  className = 'stack',
  children,
}: {
  title?: string
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section className={`card ${className}`}>
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

const noteIcons: Record<Tone, LucideIcon> = { good: CircleCheck, bad: CircleAlert, wait: TriangleAlert, '': Info }

/** A message that stands out; role says how screen readers hear of it. */
export function Note({ tone = '', role, children }: { tone?: Tone; role?: 'alert' | 'status'; children: ReactNode }) {
  const Icon = noteIcons[tone]
  return (
    <div className={`note ${tone}`} role={role}>
      <Icon aria-hidden className="icon" />
      <div>{children}</div>
    </div>
  )
}

/** What an action came to, announced to screen readers. */
export const Status = ({ children }: { children: ReactNode }) => (
  <div role="status">{children && <Note tone="good">{children}</Note>}</div>
)

/** A place where there is nothing: what could be here, and what to do about it. */
export function Empty({
  icon: Icon = Inbox,
  children,
  action,
}: {
  icon?: LucideIcon
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="empty">
      <Icon aria-hidden className="icon" />
      <p>{children}</p>
      {action}
    </div>
  )
}

/** The shape of what loads, so that nothing jumps when it is there. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">{t('ui.loading')}</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} aria-hidden />
      ))}
    </div>
  )
}

/** An error, announced to screen readers. */
export function Failure({ error }: { error?: Error }) {
  if (!error) return null
  const fields = error instanceof APIError ? error.fields : []
  return (
    <Note tone="bad" role="alert">
      {fields.length === 0 ? (
        error.message
      ) : (
        <>
          {t('ui.correct')}
          <ul>
            {fields.map((f, i) => (
              <li key={i}>
                <code>{f.path}</code> {f.message}
              </li>
            ))}
          </ul>
        </>
      )}
    </Note>
  )
}

/** What is shown of something that loads: a failure, a wait, or the data. */
export function Load<R>({
  of,
  title,
  children,
}: {
  of: { data?: R; error?: Error; loading: boolean; reload: () => void }
  /** The heading of a page that shows one record, while there is no record. */
  title?: string
  children: (data: R) => ReactNode
}) {
  const again = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button is disabled meanwhile, or goes with the error.
  useEffect(() => {
    if (again.current && document.activeElement === document.body) document.getElementById('content')?.focus()
    again.current = false
  }, [of.error])
  const content = (
    <>
      <Failure error={of.error} />
      {of.error && (
        <div>
          <Button
            icon={RotateCw}
            disabled={of.loading}
            onClick={() => {
              again.current = true
              of.reload()
            }}
          >
            {t('ui.again')}
          </Button>
        </div>
      )}
      {of.data ? children(of.data) : of.loading && <Skeleton />}
    </>
  )
  return title && !of.data ? <Page title={title}>{content}</Page> : content
}

type Column<T> = { name: string; cell: (row: T) => ReactNode }

/** A table on wide screens, one block per row on narrow ones. It scrolls where its columns have no room. */
export function Table<T>({
  label,
  rows,
  columns,
  id,
  empty = t('ui.empty'),
  filtered,
}: {
  label: string
  rows: readonly T[]
  columns: Column<T>[]
  id: (row: T) => string
  empty?: string
  /** Whether filters may have left rows out. */
  filtered?: boolean
}) {
  if (rows.length === 0)
    return filtered ? <Empty icon={SearchX}>{t('activity.noMatch')}</Empty> : <Empty>{empty}</Empty>
  return (
    <div className="scroll">
      <table className={columns.length > 6 ? 'wide many' : 'wide'}>
        <caption className="hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c.name} scope="col">
                {c.name || <span className="hidden">{t('ui.actions')}</span>}
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
    </div>
  )
}

/** Leads through the pages of a list. */
export function Pager({ label, pager, info }: { label: string; pager: Pages; info: PageInfo }) {
  const { previous, next } = neighbours(pager, info)
  if (!previous && !next) return null
  return (
    <nav className="row" aria-label={t('ui.pages', { list: label })}>
      <Button icon={ChevronLeft} disabled={!previous} onClick={() => previous && pager.go(previous)}>
        {t('ui.previous')}
      </Button>
      <Button disabled={!next} onClick={() => next && pager.go(next)}>
        {t('ui.next')}
        <ChevronRight aria-hidden className="icon" />
      </Button>
    </nav>
  )
}

let now = Date.now()
const watchers = new Set<() => void>()
setInterval(() => {
  now = Date.now()
  for (const watch of watchers) watch()
}, 30_000)

function watchClock(watch: () => void) {
  watchers.add(watch)
  return () => {
    watchers.delete(watch)
  }
}

/** The time, which moves every half a minute. */
export const useNow = () => useSyncExternalStore(watchClock, () => now)

/** When something happened: how long ago, with the exact time in the person's zone on hover; or the other way round. */
export function Time({ at, precise }: { at?: string | null; precise?: boolean }) {
  const now = useNow()
  if (!at) return <span className="soft">–</span>
  const instant = Date.parse(at)
  const texts = [
    relative(instant, Math.max(now, Math.min(instant, Date.now())), language()),
    exact(instant, language()),
  ]
  if (precise) texts.reverse()
  return (
    <time dateTime={at} title={texts[1]} data-exact={precise ? undefined : texts[1]}>
      {texts[0]}
    </time>
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
  tabs: [id: string, name: string, href: string][]
  /** The id of the one that is shown. */
  current: string
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([id, name, href]) => (
        <Link key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

/** Something that is shown once and never again. */
export function Fresh({ what, secret }: { what: string; secret: string }) {
  const [copied, setCopied] = useState('')
  const shown = useRef<HTMLElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied(t('ui.copied'))
    } catch {
      getSelection()?.selectAllChildren(shown.current!) // browsers grant the clipboard over https alone
      setCopied(t('ui.selected'))
    }
  }
  return (
    <div role="status">
      {secret && (
        <Note tone="good">
          {t('ui.once', { what })} <code ref={shown}>{secret}</code>{' '}
          <Button icon={Copy} onClick={copy}>
            {t('ui.copy')}
          </Button>{' '}
          {copied}
        </Note>
      )}
    </div>
  )
}
