import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { jsonOf, jsonText, textsOf, useEdited } from '../edited'
import { JSONText } from '../editor/json'
import { Form, Text } from '../form'
import {
  CreateTenantDocument,
  DeleteTenantDocument,
  TenantDocument,
  type TenantQuery,
  TenantsDocument,
  UpdateTenantDocument,
} from '../gql'
import { discard } from '../marks'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { Card, Facts, Failure, Load, Page, Pager, Status, Table, Time } from '../ui'
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
      title={t('nav.tenants')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('tenants.newTenant')}
          </Button>
        </May>
      }
    >
      <Card>
        <Text label={t('common.nameContains')} value={text} onChange={set('name')} />
      </Card>
      <Card>
        <Load of={query}>
          {({ tenants }) => (
            <>
              <Table
                filtered={text !== ''}
                label={t('nav.tenants')}
                rows={tenants.nodes}
                id={(tenant) => tenant.id}
                columns={[
                  {
                    name: t('common.identifier'),
                    cell: (tenant) => (
                      <Link href={`/tenants/${encodeURIComponent(tenant.identifier)}`}>{tenant.identifier}</Link>
                    ),
                  },
                  { name: t('common.name'), cell: (tenant) => tenant.name ?? '–' },
                  { name: t('common.created'), cell: (tenant) => <Time at={tenant.createdAt} /> },
                ]}
              />
              <Pager label={t('nav.tenants')} pager={pager} info={tenants.pageInfo} />
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
    <Dialog title={t('tenants.newTenant')} onClose={onClose}>
      <Form
        submit={t('common.create')}
        action={create}
        onSubmit={() => create.run({ input: { identifier, name: name || undefined } })}
      >
        <Text
          label={t('common.identifier')}
          at="identifier"
          value={identifier}
          onChange={setIdentifier}
          required
          hint={t('tenants.usedByTriggers')}
        />
        <Text label={t('common.name')} at="name" value={name} onChange={setName} />
      </Form>
    </Dialog>
  )
}

export function TenantPage({ identifier }: { identifier: string }) {
  const query = useQuery(TenantDocument, { identifier })
  return (
    <Load of={query} title={identifier}>
      {({ tenantByIdentifier }) => <Tenant of={tenantByIdentifier} reload={query.reload} key={tenantByIdentifier.id} />}
    </Load>
  )
}

function Tenant({ of: tenant, reload }: { of: TenantQuery['tenantByIdentifier']; reload: () => void }) {
  const [, go] = useLocation()
  const form = useEdited({
    of: tenant,
    valuesOf: ({ name, data }) => ({ name: name ?? '', data: jsonText(data) }),
    read: () => request(TenantDocument, { identifier: tenant.identifier }).then((r) => r.tenantByIdentifier),
    send: ({ data, ...texts }) =>
      request(UpdateTenantDocument, {
        input: { id: tenant.id, ...textsOf(texts), ...jsonOf({ data }, t('common.data')) },
      }),
    onSaved: reload,
  })
  const { name, data } = form.values
  const remove = useAction(DeleteTenantDocument, () => {
    discard()
    go('/tenants')
  })
  return (
    <Page
      title={tenant.name || tenant.identifier}
      actions={
        <Confirm
          label={t('common.delete')}
          question={t('tenants.deleteTheTenantIdentifierWith', { identifier: tenant.identifier })}
          busy={remove.busy}
          onConfirm={() => remove.run({ id: tenant.id })}
        />
      }
    >
      <Failure error={remove.error} />
      <div className="cols">
        <Card title={t('word.TENANT')}>
          <Form submit={t('common.save')} action={form} onSubmit={form.save}>
            <Text label={t('common.name')} at="name" value={name} onChange={(name) => form.set({ name })} />
            <JSONText
              label={t('common.data')}
              at="data"
              lines={6}
              value={data}
              onChange={(data) => form.set({ data })}
              hint={t('tenants.dataHint', { variable: '{{ tenant.data.<key> }}' })}
            />
            <Status>{form.saved && t('common.saved')}</Status>
          </Form>
        </Card>
        <Card title={t('common.details')}>
          <Facts
            of={{
              [t('common.identifier')]: <code>{tenant.identifier}</code>,
              [t('subscriber.record')]: <code>{tenant.internalId}</code>,
              [t('common.created')]: <Time at={tenant.createdAt} />,
              [t('common.changed')]: <Time at={tenant.updatedAt} />,
            }}
          />
        </Card>
      </div>
      <TenantWorkflows tenant={tenant.identifier} />
    </Page>
  )
}
