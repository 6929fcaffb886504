import { useState } from 'react'
import { usePager } from '../address'
import { useAction, useActionOnce, useQuery } from '../api'
import { Form, Select, Switch, Text } from '../form'
import {
  CreateOrganizationKeyDocument,
  OrganizationDocument,
  type OrganizationKeyScope,
  OrganizationKeysDocument,
  RevokeOrganizationKeyDocument,
  RotateOrganizationKeyDocument,
  UpdateOrganizationDocument,
} from '../gql'
import { Confirm } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { Card, Failure, Fresh, Load, Pager, Table, Time } from '../ui'
import { words } from '../words'
import { expiry } from './key-scopes'
import { ended, KeyState, lives, overlapOf, overlaps, Scopes } from './keys'

/** The settings of the organization. */
export function Organization() {
  const query = useQuery(OrganizationDocument, {})
  const update = useAction(UpdateOrganizationDocument, query.reload)
  return (
    <Card title={t('organization.organization')}>
      <Failure error={update.error} />
      <Load of={query}>
        {({ currentOrganization: o }) => (
          <div className="row">
            <Switch
              needs="OWNER"
              label={t('organization.membersNeedASecondFactor')}
              on={o.requireSecondFactor}
              shown={o.requireSecondFactor ? t('organization.required') : t('organization.optional')}
              busy={update.busy}
              onChange={(requireSecondFactor) => update.run({ input: { id: o.id, requireSecondFactor } })}
            />
            <span>{t('organization.secondFactorOfMembersWhere')}</span>
          </div>
        )}
      </Load>
    </Card>
  )
}

const all: OrganizationKeyScope[] = ['ENVIRONMENTS', 'MEMBERS', 'KEYS', 'SETTINGS']

/** The keys with which programs do the organization's own work. Admins see them, owners make, rotate and revoke them. */
export function OrganizationKeys() {
  const pager = usePager('organization-keys-')
  const query = useQuery(OrganizationKeysDocument, pager.variables)
  const [name, setName] = useState('')
  const [life, setLife] = useState('90')
  const [scopes, setScopes] = useState<OrganizationKeyScope[]>([])
  const [overlap, setOverlap] = useState('P1D')
  const [fresh, setFresh] = useState('')
  const create = useActionOnce(CreateOrganizationKeyDocument, (r) => {
    setFresh(r.createOrganizationKey.key)
    setName('')
    query.reload()
  })
  const rotate = useActionOnce(RotateOrganizationKeyDocument, (r) => {
    setFresh(r.rotateOrganizationKey.key)
    query.reload()
  })
  const revoke = useAction(RevokeOrganizationKeyDocument, query.reload)
  return (
    <Card title={t('organization.organizationKeys')}>
      <p className="soft">{t('organization.programsUseThemForEnvironments')}</p>
      <Failure error={revoke.error ?? rotate.error} />
      <Fresh what={t('organization.theNewOrganizationKey')} secret={fresh} key={fresh} />
      <Load of={query}>
        {({ organizationKeys }) => (
          <>
            <Table
              label={t('organization.organizationKeys')}
              rows={organizationKeys.nodes}
              id={(k) => k.id}
              columns={[
                { name: t('common.name'), cell: (k) => k.name },
                { name: t('common.endsWith'), cell: (k) => <code>{k.hint}</code> },
                { name: t('common.scopes'), cell: (k) => k.scopes.map(words).join(', ') },
                { name: t('common.lastUsed'), cell: (k) => <Time at={k.lastUsedAt} /> },
                { name: t('common.state'), cell: (k) => <KeyState of={k} /> },
                {
                  name: '',
                  cell: (k) =>
                    !ended(k) && (
                      <span className="row">
                        {!k.successorId && (
                          <Confirm
                            needs="OWNER"
                            label={t('organization.rotateName', { name: k.name })}
                            question={t('organization.makeANewOrganizationKey', {
                              name: k.name,
                              overlapOf: overlapOf(overlap),
                            })}
                            busy={rotate.busy}
                            onConfirm={() => rotate.run({ id: k.id, overlap })}
                          />
                        )}
                        <Confirm
                          needs="OWNER"
                          label={t('organization.revokeName', { name: k.name })}
                          question={t('organization.revokeTheOrganizationKeyName', { name: k.name })}
                          busy={revoke.busy}
                          onConfirm={() => revoke.run({ id: k.id })}
                        />
                      </span>
                    ),
                },
              ]}
            />
            <Pager label={t('organization.organizationKeys')} pager={pager} info={organizationKeys.pageInfo} />
          </>
        )}
      </Load>
      <May needs="OWNER">
        <Select
          label={t('organization.aRotatedOrganizationKeyEnds')}
          value={overlap}
          onChange={setOverlap}
          options={overlaps()}
        />
      </May>
      <Form
        needs="OWNER"
        submit={t('organization.createOrganizationKey')}
        action={create}
        onSubmit={() => create.run({ input: { name, scopes, expiresAt: expiry(life, new Date()) ?? '' } })}
      >
        <div className="filters">
          <Text label={t('organization.organizationKeyName')} at="name" value={name} onChange={setName} required />
          <Select label={t('organization.validFor')} at="expiresAt" value={life} onChange={setLife} options={lives()} />
        </div>
        <Scopes among={all} chosen={scopes} onChange={setScopes} />
      </Form>
    </Card>
  )
}
