import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { parseJSON } from '../errors'
import { Form, Text } from '../form'
import {
  CreateTenantDocument,
  DeleteTenantDocument,
  TenantDocument,
  type TenantQuery,
  TenantsDocument,
  UpdateTenantDocument,
} from '../gql'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { Card, Facts, Failure, Load, Page, Pager, Status, Table, Time } from '../ui'
import { discard, useUnsaved } from '../unsaved'
import { TenantWorkflows } from './tenant-workflows'

/** The customers on whose behalf triggers happen. */
export function Tenants() {
  const { get, set } = useFilters()
  const text = get('name')
  const pager = usePager()
  const query = useQuery(TenantsDocument, { ...pager.variables, filter: { nameContains: text || undefined } })
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title="Tenants"
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            New tenant
          </Button>
        </May>
      }
    >
      <Card>
        <Text label="Name contains" value={text} onChange={set('name')} />
      </Card>
      <Card>
        <Load of={query}>
          {({ tenants }) => (
            <>
              <Table
                filtered={text !== ''}
                label="Tenants"
                rows={tenants.nodes}
                id={(t) => t.id}
                columns={[
                  {
                    name: 'Identifier',
                    cell: (t) => <Link href={`/tenants/${encodeURIComponent(t.identifier)}`}>{t.identifier}</Link>,
                  },
                  { name: 'Name', cell: (t) => t.name ?? '–' },
                  { name: 'Created', cell: (t) => <Time at={t.createdAt} /> },
                ]}
              />
              <Pager pager={pager} info={tenants.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

function New({ onClose }: { onClose: () => void }) {
  const [identifier, setIdentifier] = useState('')
  const [name, setName] = useState('')
  const [, go] = useLocation()
  const create = useAction(CreateTenantDocument, (r) =>
    go(`/tenants/${encodeURIComponent(r.createTenant.tenant.identifier)}`),
  )
  return (
    <Dialog title="New tenant" onClose={onClose}>
      <Form
        submit="Create"
        action={create}
        onSubmit={() => create.run({ input: { identifier, name: name || undefined } })}
      >
        <Text
          label="Identifier"
          at="identifier"
          value={identifier}
          onChange={setIdentifier}
          required
          hint="Used by triggers."
        />
        <Text label="Name" at="name" value={name} onChange={setName} />
      </Form>
    </Dialog>
  )
}

export function TenantPage({ identifier }: { identifier: string }) {
  const query = useQuery(TenantDocument, { identifier })
  return (
    <Load of={query}>
      {({ tenantByIdentifier }) => <Tenant of={tenantByIdentifier} reload={query.reload} key={tenantByIdentifier.id} />}
    </Load>
  )
}

function Tenant({ of: t, reload }: { of: TenantQuery['tenantByIdentifier']; reload: () => void }) {
  const [name, setName] = useState(t.name ?? '')
  const [data, setData] = useState(t.data == null ? '' : JSON.stringify(t.data, null, 2))
  const [error, setError] = useState<Error>()
  const [saved, setSaved] = useState(false)
  const [, go] = useLocation()
  const stored = useUnsaved({ name, data })
  const update = useAction(UpdateTenantDocument, () => {
    setSaved(true)
    stored()
    reload()
  })
  const remove = useAction(DeleteTenantDocument, () => {
    discard()
    go('/tenants')
  })
  const submit = () => {
    setSaved(false)
    setError(undefined)
    try {
      void update.run({ input: { id: t.id, name: name || null, data: parseJSON(data, 'Data', 'data') } })
    } catch (e) {
      setError(e as Error)
    }
  }
  return (
    <Page
      title={t.name || t.identifier}
      actions={
        <Confirm
          label="Delete"
          question={`Delete the tenant ${t.identifier} with its workflow settings?`}
          busy={remove.busy}
          onConfirm={() => remove.run({ id: t.id })}
        />
      }
    >
      <Failure error={remove.error} />
      <div className="cols">
        <Card title="Tenant">
          <Form submit="Save" action={{ busy: update.busy, error: error ?? update.error }} onSubmit={submit}>
            <Text label="Name" at="name" value={name} onChange={setName} />
            <Text
              label="Data (JSON)"
              at="data"
              lines={6}
              value={data}
              onChange={setData}
              hint="Available in templates as {{ tenant.data.<key> }}."
            />
            <Status>{saved && 'Saved.'}</Status>
          </Form>
        </Card>
        <Card title="Details">
          <Facts
            of={{
              Identifier: <code>{t.identifier}</code>,
              Record: <code>{t.internalId}</code>,
              Created: <Time at={t.createdAt} />,
              Changed: <Time at={t.updatedAt} />,
            }}
          />
        </Card>
      </div>
      <TenantWorkflows tenant={t.identifier} />
    </Page>
  )
}
