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
import { Mail } from '../shown-mail'
import { t } from '../text/text'
import { Card, Facts, Failure, JSONView, Load, Page, Pager, Table, Time } from '../ui'
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
      title={t('nav.catcher')}
      actions={
        <>
          <Button icon={RefreshCw} onClick={query.reload}>
            {t('common.refresh')}
          </Button>
          <Confirm
            label={t('catcher.clear')}
            question={t('catcher.deleteAllCaughtMessages')}
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
            label={t('common.channel')}
            value={channel}
            onChange={set('channel')}
            options={[{ value: '', label: t('common.any') }, 'EMAIL', 'SMS', 'CHAT', 'PUSH']}
          />
          <Text label={t('catcher.recipient')} value={get('recipient')} onChange={set('recipient')} />
        </div>
      </Card>
      <div className="cols">
        <Card>
          <Load of={query}>
            {({ caughtMessages }) => (
              <>
                <Table
                  filtered={Boolean(channel || get('recipient'))}
                  label={t('catcher.caughtMessages')}
                  rows={caughtMessages.nodes}
                  id={(m) => m.id}
                  empty={t('catcher.noCaughtMessagesMessagesOf')}
                  columns={[
                    { name: t('common.when'), cell: (m) => <Time at={m.createdAt} /> },
                    { name: t('common.channel'), cell: (m) => words(m.channel) },
                    { name: t('common.to'), cell: (m) => m.recipient },
                    {
                      name: t('catcher.message'),
                      cell: (m) => (
                        <Button look="plain" aria-pressed={shown === m.id} onClick={() => show(m.id)}>
                          {m.subject || m.body.slice(0, 60) || 'open'}
                        </Button>
                      ),
                    },
                  ]}
                />
                <Pager label={t('catcher.caughtMessages')} pager={pager} info={caughtMessages.pageInfo} />
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
            [t('common.to')]: m.recipient,
            [t('common.provider')]: m.providerId,
            [t('common.when')]: <Time at={m.createdAt} />,
          }}
        />
        {m.html ? (
          <Mail html={m.html} text={m.body} title={t('catcher.caughtMail')} />
        ) : (
          <pre tabIndex={0}>{m.body}</pre>
        )}
        {m.details != null && <JSONView label={t('common.details')} value={m.details} />}
      </Card>
    </div>
  )
}
