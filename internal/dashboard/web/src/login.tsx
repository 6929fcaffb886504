import { useEffect, useState } from 'react'
import { logIn, offersOIDC } from './api'
import icon from './icon.svg'
import { Form, Text } from './ui'

export function LogIn({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [state, setState] = useState<{ busy: boolean; error?: Error }>(() => {
    const refused = new URLSearchParams(location.search).get('refused') // by OpenID Connect
    return refused ? { busy: false, error: new Error(refused) } : { busy: false }
  })
  const [oidc, setOIDC] = useState(false)
  useEffect(() => {
    document.title = 'Log in · Carillon'
    void offersOIDC().then(setOIDC)
  }, [])
  const submit = () => {
    setState({ busy: true })
    logIn(email, password).then(onDone, (error: Error) => setState({ busy: false, error }))
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
          {oidc && <a href="/dashboard/oidc">Log in with OpenID Connect</a>}
          <p className="soft small">
            Nobody can log in yet? On the server: <code>carillon users create you@example.com</code>
          </p>
        </div>
      </main>
    </div>
  )
}
