import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Preview } from '../editor/preview'
import { Check, Form, Text } from '../form'
import {
  CreateLayoutDocument,
  DeleteLayoutDocument,
  LayoutDocument,
  type LayoutQuery,
  LayoutsDocument,
  UpdateLayoutDocument,
  type WorkflowStepInput,
} from '../gql'
import { May } from '../role'
import { Badge, Card, Confirm, Dialog, Failure, Load, Page, Pager, Table, Time } from '../ui'
import { discard, useUnsaved } from '../unsaved'

/** The frames around e-mails. */
export function Layouts() {
  const { get, set } = useFilters()
  const text = get('name')
  const pager = usePager()
  const query = useQuery(LayoutsDocument, { ...pager.variables, filter: { nameContains: text || undefined } })
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title="Layouts"
      actions={
        <May>
          <button type="button" className="main" onClick={() => setCreating(true)}>
            New layout
          </button>
        </May>
      }
    >
      <Card>
        <Text label="Name contains" value={text} onChange={set('name')} />
      </Card>
      <Card>
        <Load of={query}>
          {({ layouts }) => (
            <>
              <Table
                label="Layouts"
                rows={layouts.nodes}
                id={(l) => l.id}
                empty="No layouts. E-mails are sent without a layout."
                columns={[
                  {
                    name: 'Name',
                    cell: (l) => (
                      <span>
                        <Link href={`/layouts/${encodeURIComponent(l.identifier)}`}>{l.name}</Link>{' '}
                        {l.isDefault && <Badge>default</Badge>}
                      </span>
                    ),
                  },
                  { name: 'Identifier', cell: (l) => <code>{l.identifier}</code> },
                  { name: 'Changed', cell: (l) => <Time at={l.updatedAt} /> },
                ]}
              />
              <Pager pager={pager} info={layouts.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

const skeleton = `<!doctype html>
<html>
  <body style="font-family: sans-serif; max-width: 40rem; margin: 0 auto">
    {{ content }}
  </body>
</html>
`

function New({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [identifier, setIdentifier] = useState('')
  const [, go] = useLocation()
  const create = useAction(CreateLayoutDocument, (r) => go(`/layouts/${encodeURIComponent(r.createLayout.identifier)}`))
  return (
    <Dialog title="New layout" onClose={onClose}>
      <Form
        submit="Create"
        action={create}
        onSubmit={() => create.run({ input: { name, identifier: identifier || undefined, content: skeleton } })}
      >
        <Text label="Name" at="name" value={name} onChange={setName} required />
        <Text
          label="Identifier"
          at="identifier"
          value={identifier}
          onChange={setIdentifier}
          hint="Used by e-mail steps. If empty, generated from the name."
        />
      </Form>
    </Dialog>
  )
}

export function LayoutPage({ identifier }: { identifier: string }) {
  const query = useQuery(LayoutDocument, { identifier })
  return (
    <Load of={query}>
      {({ layoutByIdentifier }) => <Layout of={layoutByIdentifier} reload={query.reload} key={layoutByIdentifier.id} />}
    </Load>
  )
}

/** The mail that the preview puts into the frame. */
const sample: WorkflowStepInput = {
  type: 'EMAIL',
  stepId: 'mail',
  email: {
    subject: 'Sample subject',
    preheader: 'Sample preview text',
    html: '<h1>Sample e-mail</h1><p>The content of the step.</p>',
  },
}

function Layout({ of: l, reload }: { of: LayoutQuery['layoutByIdentifier']; reload: () => void }) {
  const [name, setName] = useState(l.name)
  const [content, setContent] = useState(l.content)
  const [isDefault, setDefault] = useState(l.isDefault)
  const [example, setExample] = useState({ payload: '{}', subscriberId: '' })
  const [saved, setSaved] = useState(false)
  const [, go] = useLocation()
  const stored = useUnsaved({ name, content, isDefault })
  const update = useAction(UpdateLayoutDocument, () => {
    setSaved(true)
    stored()
    reload()
  })
  const remove = useAction(DeleteLayoutDocument, () => {
    discard()
    go('/layouts')
  })
  const submit = () => {
    setSaved(false)
    void update.run({ input: { id: l.id, name, content, isDefault } })
  }
  return (
    <Page
      title={l.name}
      actions={
        <Confirm
          label="Delete"
          question={`Delete the layout ${l.name}? E-mail steps that use it are sent without a layout.`}
          busy={remove.busy}
          onConfirm={() => remove.run({ id: l.id })}
        />
      }
    >
      <Failure error={remove.error} />
      <div className="cols">
        <Card title="Layout">
          <Form submit="Save" action={update} onSubmit={submit}>
            <Text label="Identifier" value={l.identifier} onChange={() => {}} readOnly />
            <Text label="Name" at="name" value={name} onChange={setName} required />
            <Text
              label="Source"
              at="content"
              lines={16}
              value={content}
              onChange={setContent}
              required
              hint="HTML and Liquid. Variables: {{ content }} (the body of the step), {{ subject }} and {{ preheader }}."
            />
            <Check at="isDefault" label="Default layout" value={isDefault} onChange={setDefault} />
            <div role="status">{saved && <div className="note good">Saved.</div>}</div>
          </Form>
        </Card>
        <Preview step={sample} layout={content} example={example} onExample={setExample} />
      </div>
    </Page>
  )
}
