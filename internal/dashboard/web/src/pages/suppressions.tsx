import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFilters, usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { Form, Select, Text } from '../form'
import {
  type Channel,
  CreateSuppressionDocument,
  DeleteSuppressionDocument,
  type SuppressionReason,
  SuppressionsDocument,
  type SuppressionsQuery,
} from '../gql'
import { Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { toast } from '../toast'
import { Badge, Page, Time } from '../ui'
import { words } from '../words'
import { RecordList } from './record-list'

const channels: Channel[] = ['EMAIL', 'SMS']
const reasons: SuppressionReason[] = ['BOUNCE', 'COMPLAINT', 'MANUAL']

type Suppression = SuppressionsQuery['suppressions']['nodes'][number]

/** The addresses that nothing is sent to. */
export function Suppressions() {
  const { get, set } = useFilters()
  const pager = usePager()
  const channel = channels.find((c) => c === get('channel'))
  const reason = reasons.find((r) => r === get('reason'))
  const filter = { channelIn: channel && [channel], reasonIn: reason && [reason], address: get('address') || undefined }
  const query = useQuery(SuppressionsDocument, { ...pager.variables, filter })
  const [adding, setAdding] = useState(false)
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const show = (id: string) => setGone((all) => new Set([...all].filter((g) => g !== id)))
  const remove = (s: Suppression) => {
    setGone((all) => new Set([...all, s.id])) // at once; it comes back when the server refuses
    request(DeleteSuppressionDocument, { id: s.id }).then(
      () =>
        toast(t('suppressions.removed', { address: s.address }), {
          undo: () =>
            void request(CreateSuppressionDocument, {
              input: { channel: s.channel, address: s.address, detail: s.detail || undefined },
            }).then(query.reload, (e: Error) => toast(e.message, { bad: true })),
        }),
      (e: Error) => {
        show(s.id)
        toast(e.message, { bad: true })
      },
    )
  }
  return (
    <Page
      title={t('nav.suppressions')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setAdding(true)}>
            {t('suppressions.add')}
          </Button>
        </May>
      }
    >
      <form
        className="filter-bar"
        role="search"
        aria-label={t('nav.suppressions')}
        onSubmit={(e) => e.preventDefault()}
      >
        <Text label={t('suppressions.address')} value={get('address')} onChange={set('address')} />
        <Select
          label={t('common.channel')}
          value={channel ?? ''}
          onChange={set('channel')}
          options={[{ value: '', label: t('common.any') }, ...channels]}
        />
        <Select
          label={t('column.why')}
          value={reason ?? ''}
          onChange={set('reason')}
          options={[{ value: '', label: t('common.any') }, ...reasons]}
        />
      </form>
      <RecordList
        label={t('nav.suppressions')}
        query={query}
        of={({ suppressions: s }) => ({ ...s, nodes: s.nodes.filter((n) => !gone.has(n.id)) })}
        pager={pager}
        filtered={Boolean(channel || reason || get('address'))}
        none={t('suppressions.none')}
        columns={[
          { name: t('suppressions.address'), cell: (s) => s.address },
          { name: t('common.channel'), cell: (s) => words(s.channel) },
          {
            name: t('column.why'),
            cell: (s) => <Badge tone={s.reason === 'MANUAL' ? '' : 'bad'}>{words(s.reason)}</Badge>,
          },
          { name: t('common.details'), cell: (s) => s.detail || '–' },
          { name: t('word.INTEGRATION'), cell: (s) => s.integration?.name ?? '–' },
          { name: t('column.when'), cell: (s) => <Time at={s.createdAt} /> },
          {
            name: '',
            cell: (s) => (
              <May>
                <Button
                  icon={Trash2}
                  look="danger"
                  aria-label={t('suppressions.removeOf', { address: s.address })}
                  onClick={() => remove(s)}
                >
                  {t('common.remove')}
                </Button>
              </May>
            ),
          },
        ]}
      />
      {adding && (
        <Add
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false)
            query.reload()
          }}
        />
      )}
    </Page>
  )
}

function Add({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [channel, setChannel] = useState<string>('EMAIL')
  const [address, setAddress] = useState('')
  const [detail, setDetail] = useState('')
  const create = useAction(CreateSuppressionDocument, onDone)
  return (
    <Dialog title={t('suppressions.add')} onClose={onClose}>
      <Form
        submit={t('ui.add')}
        action={create}
        onSubmit={() =>
          create.run({ input: { channel: channel as Channel, address: address.trim(), detail: detail || undefined } })
        }
      >
        <Select label={t('common.channel')} at="channel" value={channel} onChange={setChannel} options={channels} />
        <Text label={t('suppressions.address')} at="address" value={address} onChange={setAddress} required />
        <Text label={t('suppressions.detail')} at="detail" value={detail} onChange={setDetail} />
      </Form>
    </Dialog>
  )
}
