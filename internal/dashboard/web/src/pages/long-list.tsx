import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp, RotateCw } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '../button'
import { t } from '../text/text'
import { Failure, Skeleton } from '../ui'
import { lacking, rowAt, unread, type Windowed, withChanges, withPage } from './windowed'

type Read<R> = { rows: readonly R[]; info: { hasNextPage: boolean; endCursor: string | null } }

/**
 * A list that is read page by page as it is looked at. It is read anew when key changes; what was there stays until then.
 */
export function useWindowed<R extends { id: string }>(key: string, read: (after: string | null) => Promise<Read<R>>) {
  const [list, setList] = useState<Windowed<R>>(unread)
  const [state, setState] = useState<{ error?: Error; loading: boolean }>({ loading: true })
  const latest = useRef({ list, read })
  latest.current = { list, read }
  const asked = useRef({ turn: 0, pages: new Set<number>() })
  const load = useCallback(async (page: number, anew: boolean) => {
    const { turn, pages } = asked.current
    if (pages.has(page) || pages.has(0)) return // until the first page is there, the cursors may be those of another list
    pages.add(page)
    setState((s) => ({ ...s, loading: true }))
    try {
      const { rows, info } = await latest.current.read(anew ? null : (latest.current.list.cursors[page] ?? null))
      if (turn !== asked.current.turn) return
      setList((old) => withPage(anew ? unread<R>() : old, page, rows, info))
      setState({ loading: false })
    } catch (error) {
      if (turn === asked.current.turn) setState({ error: error as Error, loading: false })
    } finally {
      pages.delete(page)
    }
  }, [])
  const reload = useCallback(() => {
    asked.current = { turn: asked.current.turn + 1, pages: new Set() }
    void load(0, true)
  }, [load])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another list.
  useEffect(reload, [key])
  const show = useCallback(
    (first: number, last: number) => {
      if (state.error || latest.current.list.count === 0) return
      for (const page of lacking(latest.current.list, first, last)) void load(page, false)
    },
    [load, state.error],
  )
  const change = useCallback((changed: ReadonlyMap<string, R>) => setList((old) => withChanges(old, changed)), [])
  return { list, ...state, read: state.loading === false || list.count > 0, reload, show, change }
}

export type Column<R> = { id: string; name: string; width: string; cell: (row: R) => ReactNode }

const narrow = matchMedia('(max-width: 720px)')
const watchNarrow = (listener: () => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
/** Reports whether the page is as narrow as a phone. */
export const useNarrow = () => useSyncExternalStore(watchNarrow, () => narrow.matches)

const overscan = 10

/** Lets a cell whose text is cut show it in full. */
function showCut(e: { target: EventTarget }) {
  const cell = (e.target as Element).closest<HTMLElement>('[role=cell]')
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : ''
}

/** A list of any length. Only the rows in view are drawn, and only those around them are held. */
export function LongList<R extends { id: string }>({
  label,
  of,
  fresh = [],
  columns,
  selected,
  onSelect,
  empty,
}: {
  label: string
  of: ReturnType<typeof useWindowed<R>>
  fresh?: readonly R[]
  columns: readonly Column<R>[]
  selected?: string
  onSelect: (row: R) => void
  empty: ReactNode
}) {
  const { list } = of
  const place = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(true)
  const [seen, setSeen] = useState(0)
  // Rows that arrive move nothing while the person reads further down: they wait behind a button.
  const shown = top ? fresh.length : Math.min(seen, fresh.length)
  useEffect(() => setSeen(shown), [shown])
  const above = fresh.slice(fresh.length - shown)
  const phone = useNarrow()
  const height = phone ? 62 : 40
  const count = shown + list.count + (list.complete || list.count === 0 ? 0 : 1)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => place.current,
    estimateSize: () => height,
    overscan,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew.
  useEffect(() => rows.measure(), [height])
  const items = rows.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const { show } = of
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is lacking depends on the list as well.
  useEffect(() => show(first - shown, last - shown), [first, last, shown, list, show])
  const at = (index: number) => (index < shown ? above[index] : rowAt(list, index - shown))
  const waiting = fresh.length - shown
  const template = phone ? undefined : columns.map((c) => c.width).join(' ')
  if (of.error && list.count === 0)
    return (
      <div className="stack pad">
        <Failure error={of.error} />
        <div>
          <Button icon={RotateCw} onClick={of.reload}>
            {t('ui.again')}
          </Button>
        </div>
      </div>
    )
  if (!of.read) return <Skeleton rows={12} />
  if (count === 0) return empty
  return (
    <div className="long" data-loading={of.loading || undefined}>
      {waiting > 0 && (
        <Button className="arrivals" icon={ArrowUp} onClick={() => place.current?.scrollTo({ top: 0 })}>
          {t('list.arrived', { n: waiting })}
        </Button>
      )}
      <div
        role="table"
        aria-label={label}
        aria-rowcount={list.complete ? count + 1 : -1}
        className="long-table"
        ref={place}
        tabIndex={0}
        onPointerOver={showCut}
        onScroll={(e) => setTop(e.currentTarget.scrollTop < height)}
      >
        <div role="rowgroup" className="long-head">
          {/* biome-ignore lint/a11y/useFocusableInteractive: it only names the columns. */}
          <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
            {columns.map((c) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the columns are not sorted.
              <span role="columnheader" key={c.id}>
                {c.name}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, start }) => {
            const row = at(index)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the row's link does the same, and j and k move along.
              // biome-ignore lint/a11y/useFocusableInteractive: the row's link has the focus.
              <div
                role="row"
                key={row?.id ?? index}
                aria-rowindex={index + 2}
                aria-current={row && row.id === selected ? 'true' : undefined}
                className={row ? 'long-row' : 'long-row skeleton-row'}
                style={{ gridTemplateColumns: template, height, transform: `translateY(${start}px)` }}
                onClick={(e) => row && !(e.target as Element).closest('a, button') && onSelect(row)}
              >
                {columns.map((c) => (
                  <span role="cell" key={c.id} data-cell={c.id}>
                    {row ? c.cell(row) : <span aria-hidden className="bar" />}
                  </span>
                ))}
              </div>
            )
          })}
        </div>
      </div>
      {of.error && (
        <div className="row pad">
          <Failure error={of.error} />
          <Button icon={RotateCw} onClick={of.reload}>
            {t('ui.again')}
          </Button>
        </div>
      )}
    </div>
  )
}
