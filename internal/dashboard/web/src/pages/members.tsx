import { useState } from 'react'
import { usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Form, Select, Text } from '../form'
import {
  CreateInvitationDocument,
  CreatePasswordResetDocument,
  DeleteInvitationDocument,
  DeleteMemberDocument,
  EndLogInsDocument,
  InvitationsDocument,
  type MemberRole,
  MembersDocument,
  type MembersQuery,
  UpdateMemberDocument,
} from '../gql'
import { Confirm, Question } from '../overlay'
import { includesRole, rolesUpTo } from '../ranks'
import type { Me } from '../records'
import { May, useMay } from '../role'
import { t } from '../text/text'
import { Badge, Card, Failure, Fresh, Load, Pager, Table, Time } from '../ui'
import { words } from '../words'

type Member = MembersQuery['members']['nodes'][number]
type Link = { what: string; url: string; mailed: boolean }

/** Who works here, in which role, and who is invited. */
export function Members({ me }: { me: Me }) {
  const pager = usePager('members-')
  const query = useQuery(MembersDocument, pager.variables)
  const admin = useMay('ADMIN')
  const [link, setLink] = useState<Link>()
  const [wanted, setWanted] = useState<{ id: string; role: MemberRole }>() // one's own role
  const update = useAction(UpdateMemberDocument, query.reload)
  const remove = useAction(DeleteMemberDocument, query.reload)
  const end = useAction(EndLogInsDocument, query.reload)
  const reset = useAction(CreatePasswordResetDocument, ({ createPasswordReset: r }) =>
    setLink({ what: t('members.resetLinkOf', { email: r.user.email }), url: r.url, mailed: r.mailed }),
  )
  const own = (m: Member) => m.user.internalId === me.user?.internalId
  const reaches = (m: Member) => admin && includesRole(me.role, m.role)
  return (
    <Card title={t('word.MEMBERS')}>
      <Failure error={update.error ?? remove.error ?? reset.error ?? end.error} />
      {wanted && (
        <Question
          title={t('members.changeOwnRole')}
          question={t('members.ownRoleQuestion', { role: words(wanted.role) })}
          yes={t('members.changeOwnRole')}
          onNo={() => setWanted(undefined)}
          onYes={() => void update.run({ input: wanted }).then((changed) => changed && location.reload())}
        />
      )}
      {link && <Shown link={link} key={link.url} />}
      <Load of={query}>
        {({ members }) => (
          <>
            <Table
              label={t('word.MEMBERS')}
              rows={members.nodes}
              id={(m) => m.id}
              columns={[
                { name: t('members.person'), cell: (m) => m.user.email },
                { name: t('members.lastLogIn'), cell: (m) => <Time at={m.user.lastLoginAt} /> },
                {
                  name: t('members.secondFactor'),
                  cell: (m) =>
                    m.user.secondFactorAt ? (
                      <Badge tone="good">{t('common.on')}</Badge>
                    ) : (
                      <Badge>{t('common.off2')}</Badge>
                    ),
                },
                {
                  name: t('members.role'),
                  cell: (m) =>
                    !reaches(m) ? (
                      words(m.role)
                    ) : (
                      <Select
                        label={t('members.roleOfEmail', { email: m.user.email })}
                        value={m.role}
                        onChange={(role) => {
                          const input = { id: m.id, role: role as MemberRole }
                          if (own(m)) setWanted(input)
                          else void update.run({ input })
                        }}
                        options={rolesUpTo(me.role)}
                      />
                    ),
                },
                {
                  name: '',
                  cell: (m) => (
                    <span className="row">
                      {reaches(m) && !own(m) && (
                        <>
                          <Confirm
                            needs="ADMIN"
                            label={t('members.resetPassword')}
                            question={t('members.createAPasswordResetLink', { email: m.user.email })}
                            busy={reset.busy}
                            onConfirm={() => reset.run({ userId: m.user.id })}
                          />
                          <Confirm
                            needs="ADMIN"
                            label={t('members.endSessions')}
                            question={t('members.endAllSessionsOfEmail', { email: m.user.email })}
                            busy={end.busy}
                            onConfirm={() => end.run({ userId: m.user.id })}
                          />
                          <Confirm
                            needs="ADMIN"
                            label={t('common.remove')}
                            question={t('members.removeEmailFromTheOrganization', { email: m.user.email })}
                            busy={remove.busy}
                            onConfirm={() => remove.run({ id: m.id })}
                          />
                        </>
                      )}
                      {own(m) && (
                        <Confirm
                          needs="VIEWER"
                          label={t('members.leave')}
                          question={t('members.leaveThisOrganizationYouNeed')}
                          busy={remove.busy}
                          onConfirm={() => void remove.run({ id: m.id }).then((left) => left && location.reload())}
                        />
                      )}
                    </span>
                  ),
                },
              ]}
            />
            <Pager label={t('word.MEMBERS')} pager={pager} info={members.pageInfo} />
          </>
        )}
      </Load>
      <May needs="ADMIN">
        <Invitations me={me} onLink={setLink} />
      </May>
    </Card>
  )
}

/** A link, shown only once, after it was created. */
function Shown({ link }: { link: Link }) {
  return (
    <>
      <Fresh what={link.what} secret={new URL(link.url, location.origin).href} />
      <p className="soft small">
        {t('members.usableOnce')} {link.mailed ? t('members.itWasAlsoSentBy') : t('members.sendItToThemYourself')}
      </p>
    </>
  )
}

function Invitations({ me, onLink }: { me: Me; onLink: (link: Link) => void }) {
  const pager = usePager('invitations-')
  const query = useQuery(InvitationsDocument, pager.variables)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('VIEWER')
  const create = useAction(CreateInvitationDocument, ({ createInvitation: r }) => {
    onLink({ what: t('members.invitationOf', { email: r.invitation.email }), url: r.url, mailed: r.mailed })
    setEmail('')
    query.reload()
  })
  const remove = useAction(DeleteInvitationDocument, query.reload)
  return (
    <>
      <h3>{t('members.invitations')}</h3>
      <Failure error={remove.error} />
      <Load of={query}>
        {({ invitations }) => (
          <>
            <Table
              label={t('members.invitations')}
              empty={t('members.noPendingInvitations')}
              rows={invitations.nodes}
              id={(i) => i.id}
              columns={[
                { name: t('common.address'), cell: (i) => i.email },
                { name: t('members.role'), cell: (i) => words(i.role) },
                { name: t('members.invitedBy'), cell: (i) => i.invitedBy || t('members.theOperator') },
                {
                  name: t('common.expires'),
                  cell: (i) =>
                    new Date(i.expiresAt) < new Date() ? (
                      <Badge tone="bad">{t('members.expired')}</Badge>
                    ) : (
                      <Time at={i.expiresAt} />
                    ),
                },
                {
                  name: '',
                  cell: (i) =>
                    includesRole(me.role, i.role) && (
                      <Confirm
                        needs="ADMIN"
                        label={t('common.revoke')}
                        question={t('members.revokeTheInvitationOfEmail', { email: i.email })}
                        busy={remove.busy}
                        onConfirm={() => remove.run({ id: i.id })}
                      />
                    ),
                },
              ]}
            />
            <Pager label={t('members.invitations')} pager={pager} info={invitations.pageInfo} />
          </>
        )}
      </Load>
      <Form
        needs="ADMIN"
        submit={t('members.invite')}
        action={create}
        onSubmit={() => create.run({ input: { email, role } })}
      >
        <div className="filters">
          <Text
            label={t('members.eMailAddressOfThe')}
            at="email"
            type="email"
            autoComplete="off"
            value={email}
            onChange={setEmail}
            required
          />
          <Select
            label={t('members.role')}
            at="role"
            value={role}
            onChange={(r) => setRole(r as MemberRole)}
            options={rolesUpTo(me.role)}
          />
        </div>
      </Form>
    </>
  )
}
