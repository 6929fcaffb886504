import { useState } from 'react'
import { useAction, useQuery } from '../api'
import {
  CreateEnvironmentDocument, CreateKeyDocument, CreateMemberDocument, DeleteEnvironmentDocument, DeleteMemberDocument, EnvironmentsDocument, KeysDocument, MembersDocument, RevokeKeyDocument,
  SetPasswordDocument, UpdateEnvironmentDocument, UpdateMemberDocument, type EnvironmentType, type MemberRole, type ViewerQuery,
} from '../gql'
import { Badge, Card, Confirm, Dialog, Failure, Form, Load, Page, Pager, Select, Switch, Table, Text, Time, usePager, words } from '../ui'

type Me = ViewerQuery['viewer']

/** The environments of the organization, the keys of the present one, the members, and one's own password. */
export function Environments({ me, onChange }: { me: Me; onChange: () => void }) {
  const query = useQuery(EnvironmentsDocument, {})
  const changed = () => {
    query.reload()
    onChange()
  }
  const update = useAction(UpdateEnvironmentDocument, changed)
  const remove = useAction(DeleteEnvironmentDocument, changed)
  const [creating, setCreating] = useState(false)
  return (
    <Page title="Environments and keys" actions={<button className="main" onClick={() => setCreating(true)}>New environment</button>}>
      <Card title="Environments">
        <Failure error={update.error ?? remove.error} />
        <Load of={query}>
          {({ environments }) => (
            <Table
              label="Environments"
              rows={environments.nodes}
              id={(e) => e.id}
              columns={[
                { name: 'Name', cell: (e) => <span>{e.name} {e.id === me.environment.id && <Badge>this one</Badge>}</span> },
                { name: 'Identifier', cell: (e) => <code>{e.identifier}</code> },
                { name: 'Type', cell: (e) => words(e.type) },
                { name: 'Locale', cell: (e) => e.defaultLocale },
                { name: 'Open', cell: (e) => e.id === me.environment.id ? 'yes' : <Switch label={`${e.name} is open`} on={!e.suspended} shown={e.suspended ? 'Suspended' : 'Open'} busy={update.busy} onChange={(open) => update.run({ input: { id: e.id, suspended: !open } })} /> },
                { name: '', cell: (e) => e.id !== me.environment.id && <Confirm label="Delete" question={`Delete ${e.name} with everything in it?`} busy={remove.busy} onConfirm={() => remove.run({ id: e.id })} /> },
              ]}
            />
          )}
        </Load>
      </Card>
      <Keys me={me} />
      <Members />
      <Password />
      {creating && <New onClose={() => setCreating(false)} onDone={() => { setCreating(false); changed() }} />}
    </Page>
  )
}

function New({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [identifier, setIdentifier] = useState('')
  const [name, setName] = useState('')
  const [type, setType] = useState<EnvironmentType>('DEVELOPMENT')
  const create = useAction(CreateEnvironmentDocument, onDone)
  return (
    <Dialog title="New environment" onClose={onClose}>
      <Form submit="Create" action={create} onSubmit={() => create.run({ input: { identifier, name: name || undefined, type } })}>
        <Text label="Identifier" value={identifier} onChange={setIdentifier} required hint="Lower-case letters, digits, - and _; fixed for ever." />
        <Text label="Name" value={name} onChange={setName} />
        <Select label="Type" value={type} onChange={(t) => setType(t as EnvironmentType)} options={['DEVELOPMENT', 'PRODUCTION']} />
      </Form>
    </Dialog>
  )
}

function Keys({ me }: { me: Me }) {
  const environmentId = me.environment.id
  const pager = usePager('')
  const query = useQuery(KeysDocument, { environmentId, first: 25, after: pager.after })
  const [name, setName] = useState('')
  const [fresh, setFresh] = useState('')
  const create = useAction(CreateKeyDocument, (r) => {
    setFresh(r.createApiKey.key)
    setName('')
    query.reload()
  })
  const revoke = useAction(RevokeKeyDocument, query.reload)
  return (
    <Card title={`API keys of ${me.environment.name}`}>
      <Failure error={revoke.error} />
      <div role="status">
        {fresh && (
          <div className="note good">
            The new key is shown this once: <code>{fresh}</code>
          </div>
        )}
      </div>
      <Load of={query}>
        {({ apiKeys }) => (
          <>
            <Table
              label="API keys"
              rows={apiKeys.nodes}
              id={(k) => k.id}
              columns={[
                { name: 'Name', cell: (k) => k.name },
                { name: 'Ends with', cell: (k) => <code>{k.hint}</code> },
                { name: 'Last used', cell: (k) => <Time at={k.lastUsedAt} /> },
                { name: 'State', cell: (k) => k.revokedAt ? <Badge tone="bad">revoked</Badge> : k.expiresAt && new Date(k.expiresAt) < new Date() ? <Badge tone="bad">expired</Badge> : <Badge tone="good">valid</Badge> },
                { name: '', cell: (k) => !k.revokedAt && <Confirm label="Revoke" question={`Revoke the key ${k.name}? Whoever uses it is refused from then on.`} busy={revoke.busy} onConfirm={() => revoke.run({ id: k.id, environmentId })} /> },
              ]}
            />
            <Pager pager={pager} info={apiKeys.pageInfo} />
          </>
        )}
      </Load>
      <Form submit="Make a key" action={create} onSubmit={() => create.run({ input: { name, environmentId } })}>
        <Text label="Name of the new key" value={name} onChange={setName} required />
      </Form>
    </Card>
  )
}

const roles: MemberRole[] = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER']

function Members() {
  const query = useQuery(MembersDocument, {})
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<MemberRole>('VIEWER')
  const setTheirs = useAction(SetPasswordDocument, () => {
    setEmail('')
    setPassword('')
    query.reload()
  })
  const create = useAction(CreateMemberDocument, (r) => void setTheirs.run({ input: { userId: r.createMember.user.id, password } }))
  const update = useAction(UpdateMemberDocument, query.reload)
  const remove = useAction(DeleteMemberDocument, query.reload)
  return (
    <Card title="Members">
      <Failure error={update.error ?? remove.error} />
      <Load of={query}>
        {({ members }) => (
          <Table
            label="Members"
            rows={members.nodes}
            id={(m) => m.id}
            columns={[
              { name: 'Person', cell: (m) => m.user.email },
              { name: 'Last log-in', cell: (m) => <Time at={m.user.lastLoginAt} /> },
              { name: 'Role', cell: (m) => <Select label={`Role of ${m.user.email}`} value={m.role} onChange={(role) => update.run({ input: { id: m.id, role: role as MemberRole } })} options={roles} /> },
              { name: '', cell: (m) => <Confirm label="Remove" question={`Remove ${m.user.email} from the organization?`} busy={remove.busy} onConfirm={() => remove.run({ id: m.id })} /> },
            ]}
          />
        )}
      </Load>
      <Form submit="Add" action={{ busy: create.busy || setTheirs.busy, error: create.error ?? setTheirs.error }} onSubmit={() => create.run({ input: { email, role } })}>
        <div className="filters">
          <Text label="E-mail address of a new member" type="email" value={email} onChange={setEmail} required />
          <Text label="First password" type="password" autoComplete="new-password" value={password} onChange={setPassword} required hint="10 to 200 characters." />
          <Select label="Role" value={role} onChange={(r) => setRole(r as MemberRole)} options={roles} />
        </div>
      </Form>
    </Card>
  )
}

function Password() {
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useAction(SetPasswordDocument, () => location.reload())
  return (
    <Card title="Your password">
      <Form submit="Change it" action={change} onSubmit={() => change.run({ input: { currentPassword, password } })}>
        <div className="filters">
          <Text label="Present password" type="password" autoComplete="current-password" value={currentPassword} onChange={setCurrent} required />
          <Text label="New password" type="password" autoComplete="new-password" value={password} onChange={setPassword} required />
        </div>
        <p className="soft small">All your log-ins end, this one included.</p>
      </Form>
    </Card>
  )
}
