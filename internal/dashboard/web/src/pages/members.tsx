import { useState } from 'react'
import { useAction, useQuery } from '../api'
import { CreateMemberDocument, DeleteMemberDocument, MembersDocument, SetPasswordDocument, UpdateMemberDocument, type MemberRole } from '../gql'
import { May, useMay } from '../role'
import { Card, Confirm, Failure, Form, Load, Pager, Select, Table, Text, Time, usePager, words } from '../ui'

const roles: MemberRole[] = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER']

/** Who works here, and in which role. */
export function Members() {
  const pager = usePager('')
  const query = useQuery(MembersDocument, { first: 25, after: pager.after })
  const may = useMay('ADMIN')
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
          <>
          <Table
            label="Members"
            rows={members.nodes}
            id={(m) => m.id}
            columns={[
              { name: 'Person', cell: (m) => m.user.email },
              { name: 'Last log-in', cell: (m) => <Time at={m.user.lastLoginAt} /> },
              { name: 'Role', cell: (m) => !may ? words(m.role) : <Select label={`Role of ${m.user.email}`} value={m.role} onChange={(role) => update.run({ input: { id: m.id, role: role as MemberRole } })} options={roles} /> },
              { name: '', cell: (m) => <Confirm needs="ADMIN" label="Remove" question={`Remove ${m.user.email} from the organization?`} busy={remove.busy} onConfirm={() => remove.run({ id: m.id })} /> },
            ]}
          />
          <Pager pager={pager} info={members.pageInfo} />
          </>
        )}
      </Load>
      <May needs="ADMIN">
        <Form submit="Add" action={{ busy: create.busy || setTheirs.busy, error: create.error ?? setTheirs.error }} onSubmit={() => create.run({ input: { email, role } })}>
        <div className="filters">
          <Text label="E-mail address of a new member" type="email" autoComplete="off" value={email} onChange={setEmail} required />
          <Text label="First password" type="password" autoComplete="new-password" value={password} onChange={setPassword} required hint="10 to 200 characters." />
          <Select label="Role" value={role} onChange={(r) => setRole(r as MemberRole)} options={roles} />
        </div>
      </Form>
      </May>
    </Card>
  )
}
