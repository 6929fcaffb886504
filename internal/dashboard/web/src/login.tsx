import { useEffect, useState } from 'react'
import { APIError, logIn, type Session } from './api'
import icon from './icon.svg'
import { Form, Text } from './ui'

export function LogIn({ session, onDone }: { session: Session; onDone: (email: string) => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [state, setState] = useState<{ busy: boolean; error?: Error }>({ busy: false, error: session.refused ? new APIError(session.refused) : undefined })
  useEffect(() => {
    const before = document.title
    document.title = 'Log in · Carillon'
    return () => {
      document.title = before
    }
  }, [])
  const submit = () => {
    setState({ busy: true })
    logIn(email, password).then(
      () => onDone(email),
      (error: Error) => setState({ busy: false, error }),
    )
  }
  return (
    <div className="login">
      <main>
        <div className="card stack">
          <h1 className="brand">
            <img src={icon} alt="" />
            Log in to Carillon
          </h1>
          <Form onSubmit={submit} action={state} submit="Log in">
            <Text label="E-mail address" type="email" autoComplete="username" required value={email} onChange={setEmail} />
            <Text label="Password" type="password" autoComplete="current-password" required value={password} onChange={setPassword} />
          </Form>
          {session.oidc && <a href="/dashboard/oidc">Log in with OpenID Connect</a>}
          <p className="soft small">
            Nobody can log in yet? On the server: <code>carillon users create you@example.com</code>
          </p>
        </div>
      </main>
    </div>
  )
}
