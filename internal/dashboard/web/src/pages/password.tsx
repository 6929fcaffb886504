import { useState } from 'react'
import { useAction } from '../api'
import { SetPasswordDocument } from '../gql'
import { Card, Form, Text } from '../ui'

/** One's own password. */
export function Password() {
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useAction(SetPasswordDocument, () => location.reload())
  return (
    <Card title="Your password">
      <Form
        needs="VIEWER"
        submit="Change it"
        action={change}
        onSubmit={() => change.run({ input: { currentPassword, password } })}
      >
        <div className="filters">
          <Text
            label="Present password"
            at="currentPassword"
            type="password"
            autoComplete="current-password"
            value={currentPassword}
            onChange={setCurrent}
            required
          />
          <Text
            label="New password"
            at="password"
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            required
          />
        </div>
        <p className="soft small">The new one has 10 to 200 characters. All your log-ins end, this one included.</p>
      </Form>
    </Card>
  )
}
