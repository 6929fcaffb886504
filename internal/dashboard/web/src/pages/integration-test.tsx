import { useState } from 'react'
import { useActionOnce } from '../api'
import { Form, Text } from '../form'
import { TestIntegrationDocument, type TestIntegrationMutation } from '../gql'
import { t } from '../text/text'
import { Card, Note } from '../ui'
import { words } from '../words'

/** Sends a message through the integration and shows what the provider answered. */
export function TestMessage({ id, channel }: { id: string; channel: string }) {
  const [to, setTo] = useState('')
  const [body, setBody] = useState(t('integrationtest.body'))
  const [attempt, setAttempt] = useState<TestIntegrationMutation['testIntegration']['attempt']>()
  const test = useActionOnce(TestIntegrationDocument, (r) => setAttempt(r.testIntegration.attempt))
  return (
    <Card title={t('integrationtest.testMessage')}>
      <Form
        needs="ADMIN"
        submit={t('word.SEND')}
        action={test}
        onSubmit={() => test.run({ input: { id, to, subject: t('integrationtest.testMessage'), body } })}
      >
        <Text
          at="to"
          label={
            channel === 'EMAIL'
              ? t('integrationtest.toEMailAddress')
              : channel === 'SMS'
                ? t('integrationtest.toPhoneNumber')
                : t('common.to')
          }
          value={to}
          onChange={setTo}
          required
        />
        <Text label={t('integrationtest.message')} at="body" lines={3} value={body} onChange={setBody} />
        <p className="soft small">{t('integrationtest.asSaved')}</p>
      </Form>
      <div role="status">
        {attempt && (
          <Note tone={attempt.outcome === 'ACCEPTED' ? 'good' : 'bad'}>
            {words(attempt.outcome)}.{' '}
            {[attempt.httpStatus, attempt.code, attempt.errorText, attempt.providerMessageId]
              .filter(Boolean)
              .join(' · ')}
          </Note>
        )}
      </div>
    </Card>
  )
}
