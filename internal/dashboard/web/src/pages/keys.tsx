import { useState } from 'react'
import { usePager } from '../address'
import { useAction, useActionOnce, useQuery } from '../api'
import { Check, Form, Select, Text } from '../form'
import {
  CreateKeyDocument,
  type KeyScope,
  KeysDocument,
  type KeysQuery,
  RevokeKeyDocument,
  RotateInboxSecretDocument,
  RotateKeyDocument,
} from '../gql'
import { include } from '../lists'
import { Confirm } from '../overlay'
import type { Me } from '../records'
import { rich } from '../text/rich'
import { t } from '../text/text'
import { Badge, Card, Failure, Fresh, Load, Pager, Table, Time } from '../ui'
import { allScopes, expiry, keyEnd, presets, scopeName, scopeNames } from './key-scopes'

type Key = Pick<KeysQuery['apiKeys']['nodes'][number], 'revokedAt' | 'expiresAt' | 'successorId'>

/** How a key has ended; '' while it is valid. */
export const ended = (k: Key) => keyEnd(k, new Date())

/** How long a key may be valid, where it ends. */
export const lives = () => [
  { value: '30', label: t('keys.life.n30Days') },
  { value: '90', label: t('keys.life.n90Days') },
  { value: '365', label: t('keys.life.oneYear') },
]

/** How long a replaced key may stay valid. */
export const overlaps = () =>
  (['PT0S', 'PT1H', 'P1D', 'P7D', 'P30D'] as const).map((value) => ({ value, label: t(`keys.overlap.${value}`) }))

/** When a replaced key ends, in words. */
export const overlapOf = (overlap: string) => overlaps().find((o) => o.value === overlap)?.label ?? overlap

/** Whether a key is valid, and until when. */
export function KeyState({ of: k }: { of: Key }) {
  if (ended(k)) return <Badge tone="bad">{ended(k)}</Badge>
  return (
    <span>
      <Badge tone="good">{t('keys.valid')}</Badge>{' '}
      {k.expiresAt && <>{rich('keys.until', { when: <Time at={k.expiresAt} /> })}</>}{' '}
      {k.successorId && <Badge>{t('keys.replaced')}</Badge>}
    </span>
  )
}

const rights = () => [
  { value: 'full', label: t('keys.full') },
  { value: 'server', label: t('keys.server') },
  { value: 'chosen', label: t('keys.custom') },
]

/** Chosen scopes, one box each. */
export function Scopes<S extends string>({
  among,
  chosen,
  onChange,
}: {
  among: S[]
  chosen: S[]
  onChange: (scopes: S[]) => void
}) {
  return (
    <fieldset>
      <legend>{t('common.scopes')}</legend>
      {among.map((s) => (
        <Check
          key={s}
          label={scopeName(s)}
          value={chosen.includes(s)}
          onChange={(on) => onChange(include(chosen, s, on))}
        />
      ))}
    </fieldset>
  )
}

/** The keys of an environment: made with scopes, rotated (the old one stays valid for a while), revoked. */
export function Keys({ me }: { me: Me }) {
  const environmentId = me.environment.id
  const pager = usePager('keys-')
  const query = useQuery(KeysDocument, { environmentId, ...pager.variables })
  const [name, setName] = useState('')
  const [life, setLife] = useState('')
  const [right, setRight] = useState('full')
  const [chosen, setChosen] = useState<KeyScope[]>([])
  const [overlap, setOverlap] = useState('P1D')
  const [fresh, setFresh] = useState('')
  const create = useActionOnce(CreateKeyDocument, (r) => {
    setFresh(r.createApiKey.key)
    setName('')
    query.reload()
  })
  const rotate = useActionOnce(RotateKeyDocument, (r) => {
    setFresh(r.rotateApiKey.key)
    query.reload()
  })
  const revoke = useAction(RevokeKeyDocument, query.reload)
  return (
    <Card title={t('keys.aPIKeysOfName', { name: me.environment.name })}>
      <Failure error={revoke.error ?? rotate.error} />
      <Fresh what={t('keys.theNewKey')} secret={fresh} key={fresh} />
      <Load of={query}>
        {({ apiKeys }) => (
          <>
            <Table
              label={t('keys.aPIKeys')}
              rows={apiKeys.nodes}
              id={(k) => k.id}
              columns={[
                { name: t('common.name'), cell: (k) => k.name },
                { name: t('common.endsWith'), cell: (k) => <code>{k.hint}</code> },
                { name: t('common.scopes'), cell: (k) => scopeNames(k.scopes) },
                { name: t('common.lastUsed'), cell: (k) => <Time at={k.lastUsedAt} /> },
                { name: t('common.state'), cell: (k) => <KeyState of={k} /> },
                {
                  name: '',
                  cell: (k) =>
                    !ended(k) && (
                      <span className="row">
                        {!k.successorId && (
                          <Confirm
                            needs="ADMIN"
                            label={t('keys.rotate')}
                            question={t('keys.createANewKeyName', { name: k.name, overlapOf: overlapOf(overlap) })}
                            busy={rotate.busy}
                            onConfirm={() => rotate.run({ id: k.id, environmentId, overlap })}
                          />
                        )}
                        <Confirm
                          needs="ADMIN"
                          label={t('common.revoke')}
                          question={t('keys.revokeTheKeyNameRequests', { name: k.name })}
                          busy={revoke.busy}
                          onConfirm={() => revoke.run({ id: k.id, environmentId })}
                        />
                      </span>
                    ),
                },
              ]}
            />
            <Pager label={t('keys.aPIKeys')} pager={pager} info={apiKeys.pageInfo} />
            <Select label={t('keys.revokeRotatedKeys')} value={overlap} onChange={setOverlap} options={overlaps()} />
          </>
        )}
      </Load>
      <Form
        needs="ADMIN"
        submit={t('keys.createKey')}
        action={create}
        onSubmit={() =>
          create.run({
            input: {
              name,
              environmentId,
              scopes: presets[right] ?? chosen,
              expiresAt: expiry(life, new Date()),
            },
          })
        }
      >
        <div className="filters">
          <Text label={t('keys.keyName')} at="name" value={name} onChange={setName} required />
          <Select label={t('keys.access')} at="scopes" value={right} onChange={setRight} options={rights()} />
          <Select
            label={t('common.expires')}
            at="expiresAt"
            value={life}
            onChange={setLife}
            options={[{ value: '', label: t('keys.life.never') }, ...lives()]}
          />
        </div>
        {right === 'chosen' && <Scopes among={allScopes} chosen={chosen} onChange={setChosen} />}
      </Form>
    </Card>
  )
}

/** The secret with which backends authenticate subscribers. */
export function InboxSecret({ environment }: { environment: string }) {
  const [fresh, setFresh] = useState('')
  const rotate = useActionOnce(RotateInboxSecretDocument, (r) => setFresh(r.rotateInboxSecret.inboxSecret))
  return (
    <Card title={t('keys.inboxSecretOfEnvironment', { environment })}>
      <p className="soft">{t('keys.yourBackendAuthenticatesInboxUsers')}</p>
      <Failure error={rotate.error} />
      <Fresh what={t('keys.theNewSecret')} secret={fresh} key={fresh} />
      <div className="row end">
        <Confirm
          needs="ADMIN"
          label={t('keys.rotateSecret')}
          question={t('keys.createANewSecretInboxes')}
          busy={rotate.busy}
          onConfirm={() => rotate.run({})}
        />
      </div>
    </Card>
  )
}
