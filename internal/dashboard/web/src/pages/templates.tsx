import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { Code } from '../code/code'
import type { Knowledge } from '../code/knowledge'
import { Form, Text } from '../form'
import type { TypedDocumentString } from '../gql'
import { Dialog } from '../overlay'
import type { PageInfo } from '../pagination'
import { May } from '../role'
import type { Saving } from '../saved'
import { t } from '../text/text'
import { Card, Load, Page, Pager, Status, Table, Time } from '../ui'

type Row = { id: string; identifier: string; name: string; updatedAt: string }
type ListVariables = {
  first?: number
  after?: string
  last?: number
  before?: string
  filter?: { nameContains?: string }
}
type NewTemplate = { name: string; identifier?: string; content: string }

/** What the pages of templates with a name, such as layouts, differ in. */
type Kind<R extends Row, L, C> = {
  title: string
  /** What makes another: New layout. */
  newOne: string
  /** The address of the list; each has its page below it. */
  address: string
  empty: string
  about?: ReactNode
  badge?: (row: R) => ReactNode
  list: TypedDocumentString<L, ListVariables>
  page: (data: L) => { nodes: readonly R[]; pageInfo: PageInfo }
  create: TypedDocumentString<C, { input: NewTemplate }>
  created: (data: C) => { identifier: string }
  /** The content of a new one. */
  content: string
  identifierHint: string
}

/** The address of a template's page. */
export const templateAddress = (list: string, identifier: string) => `${list}/${encodeURIComponent(identifier)}`

/** The list of templates of one kind, and the way to make one. */
export function TemplateList<R extends Row, L, C>({ of: kind }: { of: Kind<R, L, C> }) {
  const { get, set } = useFilters()
  const text = get('name')
  const pager = usePager()
  const query = useQuery(kind.list, { ...pager.variables, filter: { nameContains: text || undefined } })
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title={kind.title}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {kind.newOne}
          </Button>
        </May>
      }
    >
      <Card>
        {kind.about}
        <Text label={t('common.nameContains')} value={text} onChange={set('name')} />
      </Card>
      <Card>
        <Load of={query}>
          {(data) => (
            <>
              <Table
                label={kind.title}
                rows={kind.page(data).nodes}
                id={(row) => row.id}
                empty={kind.empty}
                columns={[
                  {
                    name: t('common.name'),
                    cell: (row) => (
                      <span>
                        <Link href={templateAddress(kind.address, row.identifier)}>{row.name}</Link> {kind.badge?.(row)}
                      </span>
                    ),
                  },
                  { name: t('common.identifier'), cell: (row) => <code>{row.identifier}</code> },
                  { name: t('common.changed'), cell: (row) => <Time at={row.updatedAt} /> },
                ]}
              />
              <Pager label={kind.title} pager={pager} info={kind.page(data).pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New of={kind} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function New<R extends Row, L, C>({ of: kind, onClose }: { of: Kind<R, L, C>; onClose: () => void }) {
  const [name, setName] = useState('')
  const [identifier, setIdentifier] = useState('')
  const [, go] = useLocation()
  const create = useAction(kind.create, (r) => go(templateAddress(kind.address, kind.created(r).identifier)))
  return (
    <Dialog title={kind.newOne} onClose={onClose}>
      <Form
        submit={t('common.create')}
        action={create}
        onSubmit={() => create.run({ input: { name, identifier: identifier || undefined, content: kind.content } })}
      >
        <Text label={t('common.name')} at="name" value={name} onChange={setName} required />
        <Text
          label={t('common.identifier')}
          at="identifier"
          value={identifier}
          onChange={setIdentifier}
          hint={kind.identifierHint}
        />
      </Form>
    </Dialog>
  )
}

export type Template = { name: string; content: string }

/** The fields of a template. */
export function TemplateForm<T extends Template>({
  title,
  identifier,
  value,
  onChange,
  hint,
  knows,
  required,
  saving,
  onTheirs,
  children,
}: {
  title: string
  identifier: string
  value: T
  onChange: (value: T) => void
  /** What the source is, and the variables that it sees. */
  hint: string
  /** What the source sees. */
  knows: Knowledge
  /** Whether the source must not be empty. */
  required?: boolean
  saving: Saving
  /** Takes what is stored in place of what is edited. */
  onTheirs: () => Promise<unknown>
  children?: ReactNode
}) {
  return (
    <Card title={title}>
      <Form
        submit={t('common.save')}
        action={{
          ...saving,
          conflict: saving.conflict ? { fields: [], onTheirs, onMine: saving.overwrite } : undefined,
        }}
        onSubmit={saving.save}
      >
        <Text label={t('common.identifier')} value={identifier} onChange={() => {}} readOnly />
        <Text
          label={t('common.name')}
          at="name"
          value={value.name}
          onChange={(name) => onChange({ ...value, name })}
          required
        />
        <Code
          label={t('templates.source')}
          at="content"
          language="html"
          knows={knows}
          lines={16}
          value={value.content}
          onChange={(content) => onChange({ ...value, content })}
          required={required}
          hint={hint}
        />
        {children}
        <Status>{saving.saved && t('common.saved')}</Status>
      </Form>
    </Card>
  )
}
