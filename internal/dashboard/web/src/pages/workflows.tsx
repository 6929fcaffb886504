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
import { t } from '../text/text'
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
      title={t('nav.workflows')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('workflows.newWorkflow')}
          </Button>
        </May>
      }
    >
      <Card>
        <Text label={t('workflows.nameOrIdentifier')} value={text} onChange={set('query')} />
      </Card>
      <Card>
        <Failure error={toggle.error} />
        <Load of={query}>
          {({ workflows }) => (
            <>
              <Table
                label={t('nav.workflows')}
                rows={workflows.nodes}
                id={(w) => w.id}
                columns={[
                  {
                    name: t('common.name'),
                    cell: (w) => <Link href={`/workflows/${encodeURIComponent(w.identifier)}`}>{w.name}</Link>,
                  },
                  { name: t('common.identifier'), cell: (w) => <code>{w.identifier}</code> },
                  { name: t('common.status'), cell: (w) => <WorkflowState of={w} /> },
                  { name: t('common.version'), cell: (w) => w.publishedNumber || t('workflows.notPublished') },
                  { name: t('workflows.lastTriggered'), cell: (w) => <Time at={w.lastTriggeredAt} /> },
                  {
                    name: t('common.enabled'),
                    cell: (w) => (
                      <Switch
                        label={t('workflows.nameIsEnabled', { name: w.name })}
                        on={w.active}
                        busy={toggle.busy}
                        onChange={(active) => toggle.run({ id: w.id, active })}
                      />
                    ),
                  },
                ]}
              />
              <Pager label={t('nav.workflows')} pager={pager} info={workflows.pageInfo} />
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
    <Dialog title={t('workflows.newWorkflow')} onClose={onClose}>
      <Form
        submit={t('common.create')}
        action={create}
        onSubmit={() =>
          create.run({
            input: { name, identifier: identifier || undefined, publish: false, definition: { steps: [] } },
          })
        }
      >
        <Text label={t('common.name')} at="name" value={name} onChange={setName} required />
        <Text
          label={t('common.identifier')}
          at="identifier"
          value={identifier}
          onChange={setIdentifier}
          hint={t('workflows.usedByTriggersIfEmpty')}
        />
      </Form>
    </Dialog>
  )
}
