import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { Form, Switch, Text } from '../form'
import { CreateWorkflowDocument, SetWorkflowActiveDocument, WorkflowsDocument } from '../gql'
import { Dialog } from '../overlay'
import { May } from '../role'
import { Card, Failure, Load, Page, Pager, Table, Time } from '../ui'
import { WorkflowState } from './workflow-state'

export function Workflows() {
  const { get, set } = useFilters()
  const text = get('query')
  const pager = usePager()
  const query = useQuery(WorkflowsDocument, { ...pager.variables, filter: { query: text || undefined } })
  const toggle = useAction(SetWorkflowActiveDocument, query.reload)
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title="Workflows"
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            New workflow
          </Button>
        </May>
      }
    >
      <Card>
        <Text label="Name or identifier" value={text} onChange={set('query')} />
      </Card>
      <Card>
        <Failure error={toggle.error} />
        <Load of={query}>
          {({ workflows }) => (
            <>
              <Table
                label="Workflows"
                rows={workflows.nodes}
                id={(w) => w.id}
                columns={[
                  {
                    name: 'Name',
                    cell: (w) => <Link href={`/workflows/${encodeURIComponent(w.identifier)}`}>{w.name}</Link>,
                  },
                  { name: 'Identifier', cell: (w) => <code>{w.identifier}</code> },
                  { name: 'Status', cell: (w) => <WorkflowState of={w} /> },
                  { name: 'Version', cell: (w) => w.publishedNumber || 'not published' },
                  { name: 'Last triggered', cell: (w) => <Time at={w.lastTriggeredAt} /> },
                  {
                    name: 'Enabled',
                    cell: (w) => (
                      <Switch
                        label={`${w.name} is enabled`}
                        on={w.active}
                        busy={toggle.busy}
                        onChange={(active) => toggle.run({ id: w.id, active })}
                      />
                    ),
                  },
                ]}
              />
              <Pager pager={pager} info={workflows.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

function New({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [identifier, setIdentifier] = useState('')
  const [, go] = useLocation()
  const create = useAction(CreateWorkflowDocument, (r) =>
    go(`/workflows/${encodeURIComponent(r.createWorkflow.workflow.identifier)}`),
  )
  return (
    <Dialog title="New workflow" onClose={onClose}>
      <Form
        submit="Create"
        action={create}
        onSubmit={() =>
          create.run({
            input: { name, identifier: identifier || undefined, publish: false, definition: { steps: [] } },
          })
        }
      >
        <Text label="Name" at="name" value={name} onChange={setName} required />
        <Text
          label="Identifier"
          at="identifier"
          value={identifier}
          onChange={setIdentifier}
          hint="Used by triggers. If empty, generated from the name."
        />
      </Form>
    </Dialog>
  )
}
