import { useState } from 'react'
import { useAction } from '../api'
import { Button } from '../button'
import { Form, Text } from '../form'
import {
  BeginSecondFactorDocument,
  type BeginSecondFactorMutation,
  ConfirmSecondFactorDocument,
  RemoveSecondFactorDocument,
  ReplaceRecoveryCodesDocument,
} from '../gql'
import type { Me } from '../records'
import { rich } from '../text/rich'
import { t } from '../text/text'
import { Card, Time } from '../ui'

type Enrolment = BeginSecondFactorMutation['beginSecondFactor']

/** The person's second factor: begun with the password, confirmed with a code, removed with the password. */
export function SecondFactor({ me, onChange }: { me: Me; onChange: () => void }) {
  if (!me.user) return null
  return (
    <Card title={t('secondfactor.yourSecondFactor')}>
      {me.verifiedElsewhere && <p className="soft">{t('secondfactor.youAreLoggedInThrough')}</p>}
      {me.user.secondFactorAt ? <On since={me.user.secondFactorAt} onDone={onChange} /> : <SetUp onDone={onChange} />}
    </Card>
  )
}

/** Sets up a second factor: with the password, then with a code; then it shows the recovery codes. */
export function SetUp({ onDone }: { onDone: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <Recovery title={t('secondfactor.theSecondFactorIsOn')} codes={codes} onDone={onDone} />
  return enrolment ? <Confirm enrolment={enrolment} onDone={setCodes} /> : <Begin onDone={setEnrolment} />
}

function Begin({ onDone }: { onDone: (enrolment: Enrolment) => void }) {
  const [password, setPassword] = useState('')
  const begin = useAction(BeginSecondFactorDocument, (r) => onDone(r.beginSecondFactor))
  return (
    <Form needs="VIEWER" submit={t('secondfactor.setUp')} action={begin} onSubmit={() => begin.run({ password })}>
      <p className="soft">{t('secondfactor.afterYourPasswordLogIn')}</p>
      <Text
        label={t('common.yourPassword')}
        at="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
      />
    </Form>
  )
}

function Confirm({ enrolment, onDone }: { enrolment: Enrolment; onDone: (codes: readonly string[]) => void }) {
  const [code, setCode] = useState('')
  const confirm = useAction(ConfirmSecondFactorDocument, (r) => onDone(r.confirmSecondFactor.recoveryCodes))
  return (
    <Form needs="VIEWER" submit={t('secondfactor.enable')} action={confirm} onSubmit={() => confirm.run({ code })}>
      <p>{t('secondfactor.scanThisCodeWithYour')}</p>
      <div>
        <img src={enrolment.qrCode} width={240} height={240} alt={t('secondfactor.qRCodeOfTheSecret')} />
      </div>
      <p>{rich('secondfactor.secret', { secret: <code>{enrolment.secret}</code> })}</p>
      <Text
        label={t('secondfactor.codeFromTheApp')}
        at="code"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        required
      />
    </Form>
  )
}

function Recovery({ title, codes, onDone }: { title: string; codes: readonly string[]; onDone: () => void }) {
  return (
    <div className="stack" role="status">
      <p>
        {title} {t('secondfactor.eachCode')}
      </p>
      <pre tabIndex={0} role="region" aria-label={t('secondfactor.recoveryCodes')}>
        {codes.join('\n')}
      </pre>
      <div className="row end">
        <Button look="primary" onClick={onDone}>
          {t('secondfactor.iHaveSavedThem')}
        </Button>
      </div>
    </div>
  )
}

function On({ since, onDone }: { since: string; onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes)
    return (
      <Recovery title={t('secondfactor.theOldRecoveryCodesAre')} codes={codes} onDone={() => setCodes(undefined)} />
    )
  return (
    <>
      <p>{rich('secondfactor.enabledSince', { when: <Time at={since} /> })}</p>
      <Replace onDone={setCodes} />
      <Remove onDone={onDone} />
    </>
  )
}

function Replace({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const [password, setPassword] = useState('')
  const replace = useAction(ReplaceRecoveryCodesDocument, (r) => onDone(r.replaceRecoveryCodes.recoveryCodes))
  return (
    <Form
      needs="VIEWER"
      submit={t('secondfactor.createNewRecoveryCodes')}
      action={replace}
      onSubmit={() => replace.run({ input: { password } })}
    >
      <Text
        label={t('secondfactor.yourPasswordForNewRecovery')}
        at="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
      />
    </Form>
  )
}

function Remove({ onDone }: { onDone: () => void }) {
  const [password, setPassword] = useState('')
  const remove = useAction(RemoveSecondFactorDocument, onDone)
  return (
    <Form
      needs="VIEWER"
      submit={t('secondfactor.disable')}
      action={remove}
      onSubmit={() => remove.run({ input: { password } })}
    >
      <Text
        label={t('secondfactor.yourPasswordToDisableIt')}
        at="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
      />
    </Form>
  )
}
