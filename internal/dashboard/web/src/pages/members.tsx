import { useState } from 'react'
import { usePager } from '../address'
import { useAction, useQuery } from '../api'
import { CreateMemberDocument, DeleteMemberDocument, MembersDocument, SetPasswordDocument, UpdateMemberDocument, type MemberRole, type MembersQuery } from '../gql'
import { May, useMay } from '../role'
import { Card, Confirm, Dialog, Failure, Form, Load, Pager, Select, Table, Text, Time, words } from '../ui'

const roles: MemberRole[] = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER']

type Member = MembersQuery['members']['nodes'][number]

/** Who works here, and in which role. */
export function Members() {
  const pager = usePager('members-')
  const query = useQuery(MembersDocument, pager.variables)
  const may = useMay('ADMIN')
  const [chosen, setChosen] = useState<Member>()
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
                {
                  name: '',
                  cell: (m) => (
                    <span className="row">
                      <May needs="ADMIN"><button onClick={() => setChosen(m)} aria-label={`New password of ${m.user.email}`}>New password</button></May>
                      <Confirm needs="ADMIN" label="Remove" question={`Remove ${m.user.email} from the organization?`} busy={remove.busy} onConfirm={() => remove.run({ id: m.id })} />
                    </span>
                  ),
                },
              ]}
            />
            <Pager pager={pager} info={members.pageInfo} />
          </>
        )}
      </Load>
      <May needs="ADMIN">
        <New onDone={query.reload} />
      </May>
      {chosen && <NewPassword of={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  )
}

function New({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<MemberRole>('VIEWER')
  const [made, setMade] = useState<{ email: string; userId: string }>() // the member is there, the password not yet
  const setTheirs = useAction(SetPasswordDocument, () => {
    setEmail('')
    setPassword('')
    setMade(undefined)
    onDone()
  })
  const create = useAction(CreateMemberDocument, (r) => {
    const userId = r.createMember.user.id
    setMade({ email, userId })
    onDone()
    void setTheirs.run({ input: { userId, password } })
  })
  const submit = () => {
    create.clear()
    setTheirs.clear()
    void (made?.email === email ? setTheirs.run({ input: { userId: made.userId, password } }) : create.run({ input: { email, role } }))
  }
  return (
    <Form needs="ADMIN" submit="Add" action={{ busy: create.busy || setTheirs.busy, error: create.error ?? setTheirs.error }} onSubmit={submit}>
      <div className="filters">
        <Text label="E-mail address of a new member" at="email" type="email" autoComplete="off" value={email} onChange={setEmail} required />
        <Text label="First password" at="password" type="password" autoComplete="new-password" value={password} onChange={setPassword} required hint="10 to 200 characters." />
        <Select label="Role" at="role" value={role} onChange={(r) => setRole(r as MemberRole)} options={roles} />
      </div>
    </Form>
  )
}

function NewPassword({ of: m, onClose }: { of: Member; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const change = useAction(SetPasswordDocument, onClose)
  return (
    <Dialog title={`New password of ${m.user.email}`} onClose={onClose}>
      <Form needs="ADMIN" submit="Set it" action={change} onSubmit={() => change.run({ input: { userId: m.user.id, password } })}>
        <Text label="Password" at="password" type="password" autoComplete="new-password" value={password} onChange={setPassword} required hint="10 to 200 characters. All their log-ins end." />
      </Form>
    </Dialog>
  )
}
