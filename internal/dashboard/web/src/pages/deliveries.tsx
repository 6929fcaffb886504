import { Link } from 'wouter'
import { useFilters, usePager } from '../address'
import { useQuery } from '../api'
import { Select, Text } from '../form'
import {
  type DigestStatus,
  DigestsDocument,
  type ReceiptKind,
  ReceiptsDocument,
  RepliesDocument,
  type ReplyStatus,
} from '../gql'
import { type Key, t } from '../text/text'
import { Badge, JSONView, Page, Time, type Tone } from '../ui'
import { words } from '../words'
import { periods, within } from './activity-query'
import { RecordList } from './record-list'

const kinds: ReceiptKind[] = ['DELIVERED', 'OPENED', 'CLICKED', 'FAILED', 'BOUNCED', 'COMPLAINED']
const kindTones: Record<ReceiptKind, Tone> = {
  DELIVERED: 'good',
  OPENED: 'good',
  CLICKED: 'good',
  FAILED: 'bad',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
}

const anyOption = () => ({ value: '', label: t('common.any') })

function RunLink({ of }: { of: { notificationId: string; workflow: { name: string } | null } | null }) {
  return of ? (
    <Link href={`/activity/${of.notificationId}`}>{of.workflow?.name ?? t('run.deletedWorkflow')}</Link>
  ) : (
    <span className="soft">–</span>
  )
}

/** What providers reported about messages. */
export function Receipts() {
  const { get, set } = useFilters()
  const pager = usePager()
  const kind = kinds.find((k) => k === get('kind'))
  const filter = { kindIn: kind && [kind], ...within(get, Date.now()) }
  const query = useQuery(ReceiptsDocument, { ...pager.variables, filter })
  return (
    <Page title={t('nav.receipts')}>
      <form className="filter-bar" role="search" aria-label={t('nav.receipts')}>
        <Select
          label={t('receipts.kind')}
          value={kind ?? ''}
          onChange={set('kind')}
          options={[anyOption(), ...kinds.map((k) => ({ value: k, label: words(k) }))]}
        />
        <Select
          label={t('filter.since')}
          value={get('since')}
          onChange={set('since')}
          options={[anyOption(), ...periods.map((p) => ({ value: p, label: t(`period.${p}` as Key) }))]}
        />
      </form>
      <RecordList
        label={t('nav.receipts')}
        query={query}
        of={(d) => d.receipts}
        pager={pager}
        filtered={Boolean(kind || get('since'))}
        none={t('receipts.none')}
        columns={[
          { name: t('column.when'), cell: (r) => <Time at={r.occurredAt} /> },
          { name: t('receipts.kind'), cell: (r) => <Badge tone={kindTones[r.kind]}>{words(r.kind)}</Badge> },
          { name: t('common.to'), cell: (r) => r.recipient || '–' },
          { name: t('common.workflow'), cell: (r) => <RunLink of={r.message} /> },
          {
            name: t('word.INTEGRATION'),
            cell: (r) => r.integration && <Link href={`/integrations/${r.integration.id}`}>{r.integration.name}</Link>,
          },
          { name: t('run.providerId'), cell: (r) => <code>{r.providerMessageId}</code> },
          {
            name: t('common.details'),
            cell: (r) => [r.permanent && words('PERMANENT'), r.detail].filter(Boolean).join(', ') || '–',
          },
        ]}
      />
    </Page>
  )
}

const replyStatuses: ReplyStatus[] = ['PENDING', 'DELIVERED', 'FAILED']
const replyTones: Record<ReplyStatus, Tone> = { PENDING: 'wait', DELIVERED: 'good', FAILED: 'bad' }

type Mail = { mail?: { from?: unknown; subject?: unknown } }

/** The sender and the subject of a mail that was received; texts alone count. */
function heading(body: unknown): { from: string; subject: string } {
  const { mail } = (body ?? {}) as Mail
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { from: text(mail?.from), subject: text(mail?.subject) }
}

/** The answers that came by e-mail, and whether the callback took them. */
export function Replies() {
  const { get, set } = useFilters()
  const pager = usePager()
  const status = replyStatuses.find((s) => s === get('status'))
  const query = useQuery(RepliesDocument, { ...pager.variables, filter: { statusIn: status && [status] } })
  return (
    <Page title={t('nav.replies')}>
      <form className="filter-bar" role="search" aria-label={t('nav.replies')}>
        <Select
          label={t('common.status')}
          value={status ?? ''}
          onChange={set('status')}
          options={[anyOption(), ...replyStatuses.map((s) => ({ value: s, label: words(s) }))]}
        />
      </form>
      <RecordList
        label={t('nav.replies')}
        query={query}
        of={(d) => d.replies}
        pager={pager}
        filtered={Boolean(status)}
        none={t('replies.none')}
        columns={[
          { name: t('column.when'), cell: (r) => <Time at={r.createdAt} /> },
          { name: t('common.from'), cell: (r) => heading(r.body).from || '–' },
          { name: t('common.subject'), cell: (r) => heading(r.body).subject || '–' },
          { name: t('common.workflow'), cell: (r) => <RunLink of={r.message} /> },
          {
            name: t('common.status'),
            cell: (r) => (
              <span title={r.errorText ?? undefined}>
                <Badge tone={replyTones[r.status]}>{words(r.status)}</Badge>{' '}
                {r.attempts > 1 && <span className="soft">{t('run.attempt', { n: r.attempts })}</span>}
              </span>
            ),
          },
          { name: t('word.ERROR'), cell: (r) => r.errorText ?? '–' },
          {
            name: t('common.details'),
            cell: (r) => (
              <details>
                <summary>{t('ui.show')}</summary>
                <JSONView label={t('nav.replies')} value={r.body} />
              </details>
            ),
          },
        ]}
      />
    </Page>
  )
}

const digestStatuses: DigestStatus[] = ['OPEN', 'CLOSED', 'CANCELLED', 'PASSED']
const digestTones: Record<DigestStatus, Tone> = { OPEN: 'wait', CLOSED: 'good', CANCELLED: '', PASSED: '' }

/** The windows in which events are collected. */
export function Digests() {
  const { get, set } = useFilters()
  const pager = usePager()
  const status = digestStatuses.find((s) => s === get('status'))
  const filter = { statusIn: status && [status], subscriberId: get('subscriber') || undefined }
  const query = useQuery(DigestsDocument, { ...pager.variables, filter })
  return (
    <Page title={t('nav.digests')}>
      <form className="filter-bar" role="search" aria-label={t('nav.digests')} onSubmit={(e) => e.preventDefault()}>
        <Text label={t('common.subscriber')} value={get('subscriber')} onChange={set('subscriber')} />
        <Select
          label={t('common.status')}
          value={status ?? ''}
          onChange={set('status')}
          options={[anyOption(), ...digestStatuses.map((s) => ({ value: s, label: words(s) }))]}
        />
      </form>
      <RecordList
        label={t('nav.digests')}
        query={query}
        of={(d) => d.digests}
        pager={pager}
        filtered={Boolean(status || get('subscriber'))}
        none={t('digests.none')}
        columns={[
          { name: t('word.OPENED'), cell: (d) => <Time at={d.openedAt} /> },
          { name: t('digests.closes'), cell: (d) => <Time at={d.closesAt} /> },
          { name: t('common.workflow'), cell: (d) => <RunLink of={d} /> },
          { name: t('word.STEP'), cell: (d) => <code>{d.stepId}</code> },
          { name: t('common.subscriber'), cell: (d) => d.subscriber?.subscriberId ?? '–' },
          { name: t('common.key'), cell: (d) => d.digestKey || '–' },
          { name: t('digests.events'), cell: (d) => d.total },
          { name: t('common.status'), cell: (d) => <Badge tone={digestTones[d.status]}>{words(d.status)}</Badge> },
        ]}
      />
    </Page>
  )
}
