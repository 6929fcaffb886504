import { RefreshCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { Select, Text } from '../form'
import {
  CaughtMessageDocument,
  type CaughtMessageQuery,
  CaughtMessagesDocument,
  type Channel,
  ClearCaughtDocument,
} from '../gql'
import { Confirm } from '../overlay'
import { Card, Facts, Failure, JSONView, Load, Mail, Page, Pager, Table, Time } from '../ui'
import { words } from '../words'

/** Messages that went nowhere, because an integration catches them instead of sending. */
export function Catcher() {
  const { get, set } = useFilters()
  const channel = get('channel')
  const filter = { channelIn: channel ? [channel as Channel] : undefined, recipient: get('recipient') || undefined }
  const pager = usePager()
  const query = useQuery(CaughtMessagesDocument, { ...pager.variables, filter })
  const [, setParams] = useSearchParams()
  const shown = get('message')
  const show = (id: string) =>
    setParams((p) => {
      p.set('message', id)
      return p
    })
  const clear = useAction(ClearCaughtDocument, () => {
    setParams({})
    query.reload()
  })
  return (
    <Page
      title="Catcher"
      actions={
        <>
          <Button icon={RefreshCw} onClick={query.reload}>
            Refresh
          </Button>
          <Confirm
            label="Clear"
            question="Delete all caught messages?"
            busy={clear.busy}
            onConfirm={() => clear.run({})}
          />
        </>
      }
    >
      <Failure error={clear.error} />
      <Card>
        <div className="filters">
          <Select
            label="Channel"
            value={channel}
            onChange={set('channel')}
            options={[{ value: '', label: 'Any' }, 'EMAIL', 'SMS', 'CHAT', 'PUSH']}
          />
          <Text label="Recipient" value={get('recipient')} onChange={set('recipient')} />
        </div>
      </Card>
      <div className="cols">
        <Card>
          <Load of={query}>
            {({ caughtMessages }) => (
              <>
                <Table
                  filtered={Boolean(channel || get('recipient'))}
                  label="Caught messages"
                  rows={caughtMessages.nodes}
                  id={(m) => m.id}
                  empty="No caught messages. Messages of channels with a catcher integration appear here instead of being sent."
                  columns={[
                    { name: 'When', cell: (m) => <Time at={m.createdAt} /> },
                    { name: 'Channel', cell: (m) => words(m.channel) },
                    { name: 'To', cell: (m) => m.recipient },
                    {
                      name: 'Message',
                      cell: (m) => (
                        <Button look="plain" aria-pressed={shown === m.id} onClick={() => show(m.id)}>
                          {m.subject || m.body.slice(0, 60) || 'open'}
                        </Button>
                      ),
                    },
                  ]}
                />
                <Pager pager={pager} info={caughtMessages.pageInfo} />
              </>
            )}
          </Load>
        </Card>
        {shown && <Caught id={shown} />}
      </div>
    </Page>
  )
}

function Caught({ id }: { id: string }) {
  const query = useQuery(CaughtMessageDocument, { id })
  return <Load of={query}>{({ caughtMessage }) => <Message of={caughtMessage} />}</Load>
}

function Message({ of: m }: { of: CaughtMessageQuery['caughtMessage'] }) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each message gets the focus; on narrow screens it lies below the list.
  useEffect(() => place.current?.focus(), [m.id])
  return (
    <div ref={place} tabIndex={-1}>
      <Card title={m.subject || words(m.channel)}>
        <Facts
          of={{
            To: m.recipient,
            Provider: m.providerId,
            When: <Time at={m.createdAt} />,
          }}
        />
        {m.html ? <Mail html={m.html} title="Caught mail" /> : <pre tabIndex={0}>{m.body}</pre>}
        {m.details != null && <JSONView label="Details" value={m.details} />}
      </Card>
    </div>
  )
}
