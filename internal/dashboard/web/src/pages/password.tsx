import { useState } from 'react'
import { useAction } from '../api'
import { Form, Text } from '../form'
import { SetPasswordDocument } from '../gql'
import { Card } from '../ui'

/** One's own password. */
export function Password() {
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useAction(SetPasswordDocument, () => location.reload())
  return (
    <Card title="Your password">
      <Form
        needs="VIEWER"
        submit="Change password"
        action={change}
        onSubmit={() => change.run({ input: { currentPassword, password } })}
      >
        <div className="filters">
          <Text
            label="Current password"
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
        <p className="soft small">10 to 200 characters. All your sessions end, including this one.</p>
      </Form>
    </Card>
  )
}
