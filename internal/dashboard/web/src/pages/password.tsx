import { useState } from 'react'
import { useAction } from '../api'
import { Form, Text } from '../form'
import { SetPasswordDocument } from '../gql'
import { t } from '../text/text'
import { Card } from '../ui'

/** One's own password. */
export function Password() {
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useAction(SetPasswordDocument, () => location.reload())
  return (
    <Card title={t('common.yourPassword')}>
      <Form
        needs="VIEWER"
        submit={t('password.changePassword')}
        action={change}
        onSubmit={() => change.run({ input: { currentPassword, password } })}
      >
        <div className="filters">
          <Text
            label={t('password.currentPassword')}
            at="currentPassword"
            type="password"
            autoComplete="current-password"
            value={currentPassword}
            onChange={setCurrent}
            required
          />
          <Text
            label={t('common.newPassword')}
            at="password"
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            required
          />
        </div>
        <p className="soft small">{t('password.n10To200CharactersAll')}</p>
      </Form>
    </Card>
  )
}
