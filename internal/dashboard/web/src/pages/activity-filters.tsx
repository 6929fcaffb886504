import { Bookmark, BookmarkPlus, Columns3, SlidersHorizontal, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useQuery } from '../api'
import { Button } from '../button'
import { Form, Select, Text } from '../form'
import { ActivityWorkflowsDocument } from '../gql'
import { IdentifierField } from '../identifier-field'
import { Dialog, Menu, MenuCheck, MenuItem, MenuLine, MenuTitle, Popover } from '../overlay'
import { type Key, t } from '../text/text'
import { toast } from '../toast'
import { words } from '../words'
import {
  channels,
  type FilterName,
  filtersOf,
  instant,
  messageStatuses,
  onTheClock,
  outcomes,
  parseViews,
  periods,
  problems,
  runStatuses,
  type SavedView,
  savedQuery,
  type View,
  withView,
} from './activity-query'

/** The filters of the list, in the address. What is typed counts when the person pauses. */
export function useActivityFilters() {
  const [params, setParams] = useSearchParams()
  return {
    params,
    get: (name: string) => params.get(name) ?? '',
    set: (name: string, value: string) =>
      setParams(
        (p) => {
          if (value) p.set(name, value)
          else p.delete(name)
          if (name === 'since') for (const end of ['from', 'to']) p.delete(end)
          if (name === 'from' || name === 'to') p.delete('since')
          if (name === 'view') for (const other of ['status', 'provider', 'run']) p.delete(other)
          return p
        },
        { replace: name !== 'run' },
      ),
    clear: () =>
      setParams((p) => {
        const view = p.get('view')
        return new URLSearchParams(view ? { view } : {})
      }),
  }
}

export type Filters = ReturnType<typeof useActivityFilters>

const typed = 250

/** What is typed into a filter: it counts when nothing was typed for a moment. */
function useTyped(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait.
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text.trim()), typed)
    return () => clearTimeout(timer)
  }, [text])
  return { value: text, onChange: setText }
}

type FilterProps = { label: string; value: string; onChange: (value: string) => void }

const TextFilter = ({ label, value, onChange }: FilterProps) => <Text label={label} {...useTyped(value, onChange)} />

const WorkflowSearch = ({ label, value, onChange }: FilterProps) => (
  <IdentifierField of="workflow" label={label} {...useTyped(value, onChange)} />
)

const labels: Record<FilterName, Key> = {
  subscriber: 'filter.subscriber',
  workflow: 'filter.workflow',
  status: 'filter.status',
  channel: 'filter.channel',
  provider: 'filter.provider',
  integration: 'filter.integration',
  transaction: 'filter.transaction',
  context: 'filter.context',
  since: 'filter.since',
  from: 'filter.from',
  to: 'filter.to',
}

const labelOf = (view: View, name: FilterName) =>
  t(view === 'runs' && name === 'provider' ? 'filter.providerMessage' : labels[name])

/** Filters that have no place in the bar lie behind a button; those that are set show beside it. */
const tucked: readonly FilterName[] = ['transaction', 'context', 'from', 'to', 'integration']
const isTucked = (view: View, name: FilterName) => tucked.includes(name) || (view === 'runs' && name === 'provider')

const statusesOf = (view: View) => (view === 'runs' ? runStatuses : view === 'messages' ? messageStatuses : outcomes)

function Filter({ view, name, filters }: { view: View; name: FilterName; filters: Filters }) {
  const value = filters.get(name)
  const change = (to: string) => filters.set(name, to)
  const any = { value: '', label: t('common.any') }
  switch (name) {
    case 'workflow':
      return <WorkflowFilter label={t('filter.workflow')} value={value} onChange={change} />
    case 'status': {
      const statuses = statusesOf(view).map((s) => ({ value: s as string, label: words(s) }))
      const groups = [
        ...(view === 'runs' ? [{ value: problems, label: t('filter.problems') }] : []),
        ...(view === 'requests' ? [{ value: 'REJECTED,UNKNOWN', label: t('filter.failedRequests') }] : []),
      ]
      return (
        <Select label={t('filter.status')} value={value} onChange={change} options={[any, ...groups, ...statuses]} />
      )
    }
    case 'channel':
      return <Select label={t('filter.channel')} value={value} onChange={change} options={[any, ...channels]} />
    case 'since':
      return (
        <Select
          label={t('filter.since')}
          value={value}
          onChange={change}
          options={[any, ...periods.map((p) => ({ value: p, label: t(`period.${p}` as Key) }))]}
        />
      )
    case 'from':
    case 'to':
      return (
        <Text
          label={labelOf(view, name)}
          type="datetime-local"
          value={onTheClock(value)}
          onChange={(to) => change(instant(to) ?? '')} // an address with it means the same in every zone
        />
      )
    default:
      return <TextFilter label={labelOf(view, name)} value={value} onChange={change} />
  }
}

/** One of the workflows: chosen where they fit into a list, else searched for. */
function WorkflowFilter(props: FilterProps) {
  const { value } = props
  const { data } = useQuery(ActivityWorkflowsDocument, {})
  if (data?.workflows.pageInfo.hasNextPage) return <WorkflowSearch {...props} />
  const known = data?.workflows.nodes ?? []
  const options = known.map((w) => ({ value: w.identifier, label: w.name }))
  return (
    <Select
      {...props}
      options={[
        { value: '', label: t('common.any') },
        ...(value && !known.some((w) => w.identifier === value) ? [{ value, label: value }] : []),
        ...options,
      ]}
    />
  )
}

/** Filters, views that were saved, and columns. */
export function FilterBar({
  view,
  filters,
  columns,
}: {
  view: View
  filters: Filters
  columns?: {
    all: { id: string; name: string }[]
    hidden: readonly string[]
    toggle: (id: string, on: boolean) => void
  }
}) {
  const names = filtersOf[view]
  const more = names.filter((name) => isTucked(view, name))
  const set = more.filter((name) => filters.get(name))
  return (
    <form className="filter-bar" role="search" aria-label={t('nav.activity')} onSubmit={(e) => e.preventDefault()}>
      {names
        .filter((name) => !isTucked(view, name))
        .map((name) => (
          <Filter key={name} view={view} name={name} filters={filters} />
        ))}
      <Popover label={t('filter.more')} trigger={<Button icon={SlidersHorizontal}>{t('filter.more')}</Button>}>
        {more.map((name) => (
          <Filter key={name} view={view} name={name} filters={filters} />
        ))}
      </Popover>
      {set.map((name) => (
        <Button key={name} onClick={() => filters.set(name, '')} title={t('filter.remove')}>
          {labelOf(view, name)}: {filters.get(name)}
          <X aria-hidden className="icon" />
        </Button>
      ))}
      {names.some((name) => filters.get(name)) && (
        <Button look="quiet" icon={X} onClick={filters.clear}>
          {t('filter.clear')}
        </Button>
      )}
      <span className="row end">
        <Views filters={filters} />
        {columns && (
          <Menu align="end" trigger={<Button icon={Columns3}>{t('list.columns')}</Button>}>
            {columns.all.map((c) => (
              <MenuCheck key={c.id} on={!columns.hidden.includes(c.id)} onChange={(on) => columns.toggle(c.id, on)}>
                {c.name}
              </MenuCheck>
            ))}
          </Menu>
        )}
      </span>
    </form>
  )
}

const stored = 'carillon-activity-views'

function Views({ filters }: { filters: Filters }) {
  const [views, setViews] = useState(() => parseViews(localStorage.getItem(stored)))
  const [naming, setNaming] = useState(false)
  const [, go] = useLocation()
  const keep = (all: SavedView[]) => {
    localStorage.setItem(stored, JSON.stringify(all))
    setViews(all)
  }
  const current = savedQuery(filters.params)
  const built: SavedView[] = [
    { name: t('view.problems'), query: `status=${problems}` },
    { name: t('view.waiting'), query: 'status=WAITING' },
    { name: t('view.failedMessages'), query: 'view=messages&status=ERROR' },
    { name: t('view.failedRequests'), query: 'view=requests&status=REJECTED%2CUNKNOWN' },
  ]
  const present = views.find((v) => v.query === current)
  const item = (v: SavedView) => (
    <MenuItem key={v.name} onSelect={() => go(`/activity?${v.query}`)}>
      {v.name}
    </MenuItem>
  )
  return (
    <>
      <Menu align="end" trigger={<Button icon={Bookmark}>{present?.name ?? t('view.title')}</Button>}>
        {built.map(item)}
        {views.length > 0 && (
          <>
            <MenuLine />
            <MenuTitle>{t('view.own')}</MenuTitle>
            {views.map(item)}
          </>
        )}
        <MenuLine />
        <MenuItem icon={BookmarkPlus} disabled={current === ''} onSelect={() => setNaming(true)}>
          {t('view.save')}
        </MenuItem>
        {present && (
          <MenuItem
            icon={X}
            danger
            onSelect={() => {
              keep(views.filter((v) => v !== present))
              toast(t('view.removed', { name: present.name }), { undo: () => keep(views) })
            }}
          >
            {t('view.remove', { name: present.name })}
          </MenuItem>
        )}
      </Menu>
      {naming && (
        <Naming
          onClose={() => setNaming(false)}
          onName={(name) => {
            keep(withView(views, { name, query: current }))
            setNaming(false)
            toast(t('view.saved', { name }))
          }}
        />
      )}
    </>
  )
}

function Naming({ onClose, onName }: { onClose: () => void; onName: (name: string) => void }) {
  const [name, setName] = useState('')
  return (
    <Dialog title={t('view.save')} onClose={onClose}>
      <Form
        needs="VIEWER"
        submit={t('common.save')}
        action={{ busy: false }}
        onSubmit={() => name.trim() && onName(name.trim())}
      >
        <Text label={t('common.name')} value={name} onChange={setName} required autoFocus />
      </Form>
    </Dialog>
  )
}
