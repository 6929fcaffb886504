import { useEffect, useState } from 'react'
import { logIn, type Session, switchEnvironment, useAction, useQuery } from './api'
import { Button } from './button'
import { Form, Text } from './form'
import {
  AcceptInvitationDocument,
  type AcceptInvitationMutation,
  InvitationOfferDocument,
  type InvitationOfferQuery,
  ResetPasswordDocument,
} from './gql'
import { Front, LogInForm } from './login'
import { rich } from './text/rich'
import { t } from './text/text'
import { Failure, Load, Time } from './ui'
import { words } from './words'

// The token is in the fragment, which is sent neither to the server nor to other sites.
const token = location.hash.slice(1)

const home = () => location.assign('/dashboard/')

/** The page of an invitation: people with an account join with it, others choose a password. */
export function AcceptInvitation({ session }: { session: Session }) {
  const offer = useQuery(InvitationOfferDocument, { token })
  return (
    <Front title={t('links.invitation')}>
      <Load of={offer}>{({ invitationOffer }) => <Offer session={session} offer={invitationOffer} />}</Load>
    </Front>
  )
}

function Offer({ session, offer }: { session: Session; offer: InvitationOfferQuery['invitationOffer'] }) {
  const [active, setActive] = useState(session.active)
  const [known, setKnown] = useState(false)
  return (
    <>
      <p>
        {rich('links.offer', {
          who: offer.invitedBy ?? t('links.theOperator'),
          email: <strong>{offer.email}</strong>,
          organization: offer.organizationName,
          role: words(offer.role),
          when: <Time at={offer.expiresAt} />,
        })}
      </p>
      {active ? (
        <Join />
      ) : known || offer.logInFirst ? (
        <LogInForm address={offer.email} onDone={() => setActive(true)} />
      ) : (
        <Register email={offer.email} />
      )}
      {!active && offer.logInFirst && <p className="soft small">{t('links.logInToAcceptWithout')}</p>}
      {!active && !offer.logInFirst && (
        <div>
          <Button look="plain" onClick={() => setKnown(!known)}>
            {known ? t('links.iHaveNoAccountYet') : t('links.iAlreadyHaveAnAccount')}
          </Button>
        </div>
      )}
    </>
  )
}

function Join() {
  const accept = useAction(AcceptInvitationDocument, (r: AcceptInvitationMutation) => {
    const to = r.acceptInvitation.environmentId
    to ? switchEnvironment(to).then(home, home) : home()
  })
  return (
    <Form needs="VIEWER" onSubmit={() => accept.run({ input: { token } })} action={accept} submit={t('links.accept')}>
      <p className="soft small">{t('links.youAcceptWithTheAccount')}</p>
    </Form>
  )
}

function Register({ email }: { email: string }) {
  const [firstName, setFirst] = useState('')
  const [lastName, setLast] = useState('')
  const [password, setPassword] = useState('')
  const accept = useAction(AcceptInvitationDocument, () => void logIn(email, password).then(home, home))
  return (
    <Form
      onSubmit={() =>
        accept.run({ input: { token, password, firstName: firstName || undefined, lastName: lastName || undefined } })
      }
      action={accept}
      submit={t('links.accept')}
    >
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <Text
        label={t('links.firstName')}
        at="firstName"
        autoComplete="given-name"
        value={firstName}
        onChange={setFirst}
      />
      <Text label={t('links.lastName')} at="lastName" autoComplete="family-name" value={lastName} onChange={setLast} />
      <Text
        label={t('links.chooseAPassword')}
        at="password"
        type="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={setPassword}
        hint={t('links.n10To200Characters')}
      />
    </Form>
  )
}

/** The page of a password reset link. */
export function NewPassword() {
  const [password, setPassword] = useState('')
  const [email, setEmail] = useState('')
  const reset = useAction(ResetPasswordDocument, (r) => setEmail(r.resetPassword.email))
  useEffect(() => {
    if (email) document.querySelector<HTMLElement>('input[type=password]')?.focus()
  }, [email])
  if (email)
    return (
      <Front title={t('common.logInToCarillon')}>
        <p role="status">{t('links.yourPasswordWasChangedLog')}</p>
        <LogInForm address={email} onDone={home} />
      </Front>
    )
  return (
    <Front title={t('links.setANewPassword')}>
      {token ? (
        <Form onSubmit={() => reset.run({ input: { token, password } })} action={reset} submit={t('links.setPassword')}>
          <Text
            label={t('common.newPassword')}
            at="password"
            type="password"
            autoComplete="new-password"
            required
            value={password}
            onChange={setPassword}
            hint={t('links.n10To200CharactersAll')}
          />
        </Form>
      ) : (
        <Failure error={new Error(t('links.incomplete'))} />
      )}
    </Front>
  )
}
