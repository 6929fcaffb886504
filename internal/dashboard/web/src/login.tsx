import { type ReactNode, useEffect, useState } from 'react'
import { logIn, type Session, useAction } from './api'
import { Button } from './button'
import { APIError } from './errors'
import { Form, Text } from './form'
import { RequestPasswordResetDocument } from './gql'
import icon from './icon.svg'
import { rich } from './text/rich'
import { t } from './text/text'
import { Note } from './ui'

/** A page shown before log-in. */
export function Front({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    const before = document.title
    document.title = `${title} · Carillon`
    return () => {
      document.title = before
    }
  }, [title])
  return (
    <div className="login">
      <main>
        <div className="card stack">
          <h1 className="brand">
            <img src={icon} alt="" />
            {title}
          </h1>
          {children}
        </div>
      </main>
    </div>
  )
}

/** The form of a log-in; it asks for a code if the account has a second factor. */
export function LogInForm({
  onDone,
  refused,
  address,
  ended = false,
}: {
  onDone: (email: string) => void
  refused?: string
  address?: string
  /** Whether it takes the place of a page. */
  ended?: boolean
}) {
  const [email, setEmail] = useState(address ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asked, setAsked] = useState(false)
  const [state, setState] = useState<{ busy: boolean; error?: Error }>({
    busy: false,
    error: refused ? new APIError(refused) : undefined,
  })
  const submit = () => {
    setState({ busy: true })
    logIn(email, password, code).then(
      () => onDone(email),
      (error: APIError) => {
        const needsCode = error.code === 'SECOND_FACTOR_REQUIRED'
        setState({ busy: false, error: needsCode && !asked ? undefined : error })
        setAsked(asked || needsCode)
      },
    )
  }
  return (
    <Form onSubmit={submit} action={state} submit={t('login.logIn')}>
      <Text
        label={t('common.eMailAddress')}
        type="email"
        autoComplete="username"
        autoFocus={ended}
        required
        readOnly={address !== undefined}
        value={email}
        onChange={setEmail}
      />
      <Text
        label={t('login.password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      {asked && (
        <Text
          label={t('login.code')}
          autoComplete="one-time-code"
          autoFocus
          required
          value={code}
          onChange={setCode}
          hint={t('login.fromYourAuthenticatorAppOr')}
        />
      )}
    </Form>
  )
}

export function LogIn({
  session,
  onDone,
  ended,
}: {
  session: Session
  onDone: (email: string) => void
  ended: boolean
}) {
  const [forgotten, setForgotten] = useState(false)
  return (
    <Front title={t('common.logInToCarillon')}>
      {ended && <Note role="status">{t('login.ended')}</Note>}
      {forgotten ? <Forgotten /> : <LogInForm onDone={onDone} refused={session.refused} ended={ended} />}
      {session.oidc && <a href="/dashboard/oidc">{t('login.logInWithOpenIDConnect')}</a>}
      {session.mail && (
        <div>
          <Button look="plain" onClick={() => setForgotten(!forgotten)}>
            {forgotten ? t('login.logIn') : t('login.forgotPassword')}
          </Button>
        </div>
      )}
      {!ended && (
        <p className="soft small">
          {rich('login.noUser', { command: <code>carillon users create you@example.com</code> })}
        </p>
      )}
    </Front>
  )
}

function Forgotten() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const ask = useAction(RequestPasswordResetDocument, () => setSent(true))
  if (sent) return <p role="status">{t('login.linkSent', { email })}</p>
  return (
    <Form onSubmit={() => ask.run({ email })} action={ask} submit={t('login.sendLink')}>
      <Text
        label={t('common.eMailAddress')}
        at="email"
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={setEmail}
      />
    </Form>
  )
}
