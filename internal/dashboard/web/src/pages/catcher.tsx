import { useState } from 'react'
import { useAction, useQuery } from '../api'
import { CaughtMessagesDocument, ClearCaughtDocument, type CaughtMessagesQuery, type Channel } from '../gql'
import { Card, Confirm, Facts, Failure, JSONView, Load, Mail, Page, Pager, Select, Table, Text, Time, usePager, words } from '../ui'

/** Messages that went nowhere, because an integration catches them instead of sending. */
export function Catcher() {
  const [channel, setChannel] = useState('')
  const [recipient, setRecipient] = useState('')
  const [shown, setShown] = useState<CaughtMessagesQuery['caughtMessages']['nodes'][number]>()
  const filter = { channelIn: channel ? [channel as Channel] : undefined, recipient: recipient || undefined }
  const pager = usePager(JSON.stringify(filter))
  const query = useQuery(CaughtMessagesDocument, { first: 25, after: pager.after, filter })
  const clear = useAction(ClearCaughtDocument, () => {
    setShown(undefined)
    query.reload()
  })
  return (
    <Page
      title="Catcher"
      actions={
        <>
          <button onClick={query.reload}>Look again</button>
          <Confirm label="Empty" question="Forget all caught messages?" busy={clear.busy} onConfirm={() => clear.run({})} />
        </>
      }
    >
      <Failure error={clear.error} />
      <Card>
        <div className="filters">
          <Select label="Channel" value={channel} onChange={setChannel} options={[{ value: '', label: 'Any' }, 'EMAIL', 'SMS', 'CHAT', 'PUSH']} />
          <Text label="Recipient" value={recipient} onChange={setRecipient} />
        </div>
      </Card>
      <div className="cols">
        <Card>
          <Load of={query}>
            {({ caughtMessages }) => (
              <>
                <Table
                  label="Caught messages"
                  rows={caughtMessages.nodes}
                  id={(m) => m.id}
                  empty="Nothing was caught. Messages appear here when a catcher is the integration of their channel."
                  columns={[
                    { name: 'When', cell: (m) => <Time at={m.createdAt} /> },
                    { name: 'Channel', cell: (m) => words(m.channel) },
                    { name: 'To', cell: (m) => m.recipient },
                    { name: 'Message', cell: (m) => <button className="plain" aria-pressed={shown?.id === m.id} onClick={() => setShown(m)}>{m.subject || m.body.slice(0, 60) || 'open'}</button> },
                  ]}
                />
                <Pager pager={pager} info={caughtMessages.pageInfo} />
              </>
            )}
          </Load>
        </Card>
        {shown && (
          <Card title={shown.subject || words(shown.channel)}>
            <Facts of={[['To', shown.recipient], ['Provider', shown.providerId], ['When', <Time at={shown.createdAt} />]]} />
            {shown.html ? <Mail html={shown.html} title="Caught mail" /> : <pre tabIndex={0}>{shown.body}</pre>}
            {shown.details != null && <JSONView label="Details" value={shown.details} />}
          </Card>
        )}
      </div>
    </Page>
  )
}
