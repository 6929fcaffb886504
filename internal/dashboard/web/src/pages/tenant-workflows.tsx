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
import { t } from '../text/text'
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
    <Card title={t('tenantworkflows.workflowsForThisTenant')}>
      <Failure error={set.error ?? remove.error} />
      <Load of={query}>
        {({ tenantWorkflows: list }) => (
          <>
            <Table
              label={t('tenantworkflows.workflowsForThisTenant')}
              rows={list.nodes.filter((o) => o.workflow)}
              id={(o) => o.id}
              empty={t('tenantworkflows.noOverridesAllWorkflowsUse')}
              columns={[
                {
                  name: t('common.workflow'),
                  cell: (o) => (
                    <Link href={`/workflows/${encodeURIComponent(o.workflow!.identifier)}`}>{o.workflow!.name}</Link>
                  ),
                },
                {
                  name: t('common.enabled'),
                  cell: (o) => (
                    <Switch
                      label={t('tenantworkflows.nameIsEnabledForThis', { name: o.workflow!.name })}
                      on={o.active}
                      busy={set.busy}
                      onChange={(active) => put(o, { active })}
                    />
                  ),
                },
                ...channelFields().map(([field, name]) => ({
                  name,
                  cell: (o: Override) => (
                    <Preference
                      label={t('tenantworkflows.nameForName2', { name, name2: o.workflow!.name })}
                      value={o.preferences[field]}
                      onChange={(v) => put(o, { preferences: { ...o.preferences, [field]: v } })}
                    />
                  ),
                })),
                {
                  name: '',
                  cell: (o) => (
                    <Confirm
                      label={t('common.remove')}
                      question={t('tenantworkflows.removeTheOverridesOfName', { name: o.workflow!.name })}
                      busy={remove.busy}
                      onConfirm={() => remove.run({ id: o.id })}
                    />
                  ),
                },
              ]}
            />
            <Pager label={t('tenantworkflows.workflowsForThisTenant')} pager={pager} info={list.pageInfo} />
          </>
        )}
      </Load>
      <May>
        <Form
          submit={t('tenantworkflows.add')}
          action={add}
          onSubmit={() => add.run({ input: { tenantIdentifier: tenant, workflow } })}
        >
          <Text
            label={t('tenantworkflows.workflowIdentifier')}
            at="workflow"
            value={workflow}
            onChange={setWorkflow}
            required
          />
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
      <option value="null">{t('common.default')}</option>
      <option value="true">{t('common.on')}</option>
      <option value="false">{t('common.off2')}</option>
    </select>
  )
}
