import { useState } from 'react'
import { Link } from 'wouter'
import { usePager } from '../address'
import { useAction, useQuery } from '../api'
import { channelFields } from '../editor/definition'
import { Form, Switch, Text } from '../form'
import {
  type ChannelPreferencesInput,
  DeleteTenantWorkflowDocument,
  SetTenantWorkflowDocument,
  TenantWorkflowsDocument,
  type TenantWorkflowsQuery,
} from '../gql'
import { Confirm } from '../overlay'
import { May, useMay } from '../role'
import { Card, Failure, Load, Pager, Table } from '../ui'

type Override = TenantWorkflowsQuery['tenantWorkflows']['nodes'][number]

/** What differs for one tenant: workflows that are off, and other defaults of their channels. */
export function TenantWorkflows({ tenant }: { tenant: string }) {
  const pager = usePager('workflows-')
  const query = useQuery(TenantWorkflowsDocument, { tenant, ...pager.variables })
  const set = useAction(SetTenantWorkflowDocument, query.reload)
  const remove = useAction(DeleteTenantWorkflowDocument, query.reload)
  const add = useAction(SetTenantWorkflowDocument, () => {
    setWorkflow('')
    query.reload()
  })
  const [workflow, setWorkflow] = useState('')
  const put = (o: Override, change: { active?: boolean; preferences?: ChannelPreferencesInput }) =>
    set.run({ input: { tenantIdentifier: tenant, workflow: o.workflow!.id, ...change } })
  return (
    <Card title="Workflows for this tenant">
      <Failure error={set.error ?? remove.error} />
      <Load of={query}>
        {({ tenantWorkflows: list }) => (
          <>
            <Table
              label="Workflows for this tenant"
              rows={list.nodes.filter((o) => o.workflow)}
              id={(o) => o.id}
              empty="No overrides: all workflows use their own settings."
              columns={[
                {
                  name: 'Workflow',
                  cell: (o) => (
                    <Link href={`/workflows/${encodeURIComponent(o.workflow!.identifier)}`}>{o.workflow!.name}</Link>
                  ),
                },
                {
                  name: 'Enabled',
                  cell: (o) => (
                    <Switch
                      label={`${o.workflow!.name} is enabled for this tenant`}
                      on={o.active}
                      busy={set.busy}
                      onChange={(active) => put(o, { active })}
                    />
                  ),
                },
                ...channelFields.map(([field, name]) => ({
                  name,
                  cell: (o: Override) => (
                    <Preference
                      label={`${name} for ${o.workflow!.name}`}
                      value={o.preferences[field]}
                      onChange={(v) => put(o, { preferences: { ...o.preferences, [field]: v } })}
                    />
                  ),
                })),
                {
                  name: '',
                  cell: (o) => (
                    <Confirm
                      label="Remove"
                      question={`Remove the overrides of ${o.workflow!.name}?`}
                      busy={remove.busy}
                      onConfirm={() => remove.run({ id: o.id })}
                    />
                  ),
                },
              ]}
            />
            <Pager pager={pager} info={list.pageInfo} />
          </>
        )}
      </Load>
      <May>
        <Form submit="Add" action={add} onSubmit={() => add.run({ input: { tenantIdentifier: tenant, workflow } })}>
          <Text label="Workflow (identifier)" at="workflow" value={workflow} onChange={setWorkflow} required />
        </Form>
      </May>
    </Card>
  )
}

/** On, off, or the workflow's default. */
function Preference({
  label,
  value,
  onChange,
}: {
  label: string
  value: boolean | null
  onChange: (v: boolean | null) => void
}) {
  const may = useMay('EDITOR')
  return (
    <select
      aria-label={label}
      disabled={!may}
      value={String(value)}
      onChange={(e) => onChange(e.target.value === 'null' ? null : e.target.value === 'true')}
    >
      <option value="null">default</option>
      <option value="true">on</option>
      <option value="false">off</option>
    </select>
  )
}
