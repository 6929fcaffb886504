import { useRef, useState } from 'react'
import { usePager } from '../address'
import { useAction, useQuery } from '../api'
import { CreateKeyDocument, KeysDocument, RevokeKeyDocument, RotateInboxSecretDocument, UpdateKeyDocument, type KeysQuery } from '../gql'
import { Badge, Card, Confirm, Failure, Form, Load, Pager, Select, Table, Text, Time } from '../ui'
import type { Me } from './environments'

type Key = KeysQuery['apiKeys']['nodes'][number]

/** Something that is shown once and never again. */
function Fresh({ what, secret }: { what: string; secret: string }) {
  const [copied, setCopied] = useState('')
  const shown = useRef<HTMLElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied('Copied.')
    } catch {
      getSelection()?.selectAllChildren(shown.current!) // browsers grant the clipboard over https alone
      setCopied('Selected: copy it with your keyboard.')
    }
  }
  return (
    <div role="status">
      {secret && (
        <div className="note good">
          {what} is shown this once: <code ref={shown}>{secret}</code>{' '}
          <button type="button" onClick={copy}>
            Copy
          </button>{' '}
          {copied}
        </div>
      )}
    </div>
  )
}

const ended = (k: Key) => k.revokedAt ? 'revoked' : k.expiresAt && new Date(k.expiresAt) < new Date() ? 'expired' : ''
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const lives = [{ value: '', label: 'for ever' }, { value: '30', label: '30 days' }, { value: '90', label: '90 days' }, { value: '365', label: 'a year' }]

/** The keys of an environment: made, rotated (a new one, and a day for the old), revoked. */
export function Keys({ me }: { me: Me }) {
  const environmentId = me.environment.id
  const pager = usePager('keys-')
  const query = useQuery(KeysDocument, { environmentId, ...pager.variables })
  const [name, setName] = useState('')
  const [life, setLife] = useState('')
  const [fresh, setFresh] = useState('')
  const create = useAction(CreateKeyDocument, (r) => {
    setFresh(r.createApiKey.key)
    setName('')
    query.reload()
  })
  const expire = useAction(UpdateKeyDocument, query.reload)
  const revoke = useAction(RevokeKeyDocument, query.reload)
  const rotate = async (k: Key) => {
    if (await create.run({ input: { name: k.name, environmentId } })) await expire.run({ input: { id: k.id, environmentId, expiresAt: inDays(1) } })
  }
  return (
    <Card title={`API keys of ${me.environment.name}`}>
      <Failure error={revoke.error ?? expire.error} />
      <Fresh what="The new key" secret={fresh} key={fresh} />
      <Load of={query}>
        {({ apiKeys }) => (
          <>
            <Table
              label="API keys"
              rows={apiKeys.nodes}
              id={(k) => k.id}
              columns={[
                { name: 'Name', cell: (k) => k.name },
                { name: 'Ends with', cell: (k) => <code>{k.hint}</code> },
                { name: 'Last used', cell: (k) => <Time at={k.lastUsedAt} /> },
                { name: 'State', cell: (k) => (ended(k) ? <Badge tone="bad">{ended(k)}</Badge> : <span><Badge tone="good">valid</Badge> {k.expiresAt && <>until <Time at={k.expiresAt} /></>}</span>) },
                {
                  name: '',
                  cell: (k) =>
                    !ended(k) && (
                      <span className="row">
                        <Confirm needs="ADMIN" label="Rotate" question={`Make a new key ${k.name}, and end the present one in a day?`} busy={create.busy || expire.busy} onConfirm={() => void rotate(k)} />
                        <Confirm needs="ADMIN" label="Revoke" question={`Revoke the key ${k.name}? Whoever uses it is refused from then on.`} busy={revoke.busy} onConfirm={() => revoke.run({ id: k.id, environmentId })} />
                      </span>
                    ),
                },
              ]}
            />
            <Pager pager={pager} info={apiKeys.pageInfo} />
          </>
        )}
      </Load>
      <Form needs="ADMIN" submit="Make a key" action={create} onSubmit={() => create.run({ input: { name, environmentId, expiresAt: life ? inDays(parseInt(life)) : undefined } })}>
        <div className="filters">
          <Text label="Name of the new key" at="name" value={name} onChange={setName} required />
          <Select label="Valid" at="expiresAt" value={life} onChange={setLife} options={lives} />
        </div>
      </Form>
    </Card>
  )
}

/** What back ends prove subscribers with. */
export function InboxSecret({ environment }: { environment: string }) {
  const [fresh, setFresh] = useState('')
  const rotate = useAction(RotateInboxSecretDocument, (r) => setFresh(r.rotateInboxSecret))
  return (
    <Card title={`Inbox secret of ${environment}`}>
      <p className="soft">A back end proves to the inbox who its reader is with the HMAC-SHA256 of the subscriber’s identifier under this secret.</p>
      <Failure error={rotate.error} />
      <Fresh what="The new secret" secret={fresh} key={fresh} />
      <div className="row end">
        <Confirm needs="ADMIN" label="New secret" question="Make a new secret? Inboxes that were opened with the old one end." busy={rotate.busy} onConfirm={() => rotate.run({})} />
      </div>
    </Card>
  )
}
