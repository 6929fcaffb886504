import { Pause, Play, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAction, useQuery } from '../api'
import { Select, Text } from '../form'
import {
  CancelMessageRetryDocument,
  type Channel,
  PauseDeliveryDocument,
  type PauseKind,
  RepairsDocument,
  type RepairsQuery,
  ResumeDeliveryDocument,
  RetryMessagesDocument,
} from '../gql'
import { IdentifierField } from '../identifier-field'
import { Confirm } from '../overlay'
import { Repair } from '../repair'
import { May } from '../role'
import { type Key, number, t } from '../text/text'
import { Badge, Card, Failure, Load, Page, Table, Time } from '../ui'
import { words } from '../words'
import { periods, within } from './activity-query'
import { useRefresh } from './refresh'

// Those that providers deliver.
const channels = ['EMAIL', 'SMS', 'CHAT', 'PUSH'] as const satisfies readonly Channel[]

/** Pauses, and retries of failed messages. */
export function Repairs() {
  const query = useQuery(RepairsDocument, {})
  const retrying = query.data?.messageRetries.nodes.some((r) => r.status === 'RUNNING') ?? false
  const resuming = query.data?.pauses.nodes.some((p) => p.resumedAt && p.heldCount > 0) ?? false
  useRefresh(retrying || resuming, query.reload)
  return (
    <Page title={t('nav.repairs')}>
      <May needs="ADMIN">
        <NewPause done={query.reload} />
      </May>
      <May>
        <NewRetry done={query.reload} />
      </May>
      <Load of={query}>
        {({ pauses, messageRetries }) => (
          <>
            <Card title={t('repair.pausesTitle')}>
              <Pauses of={pauses.nodes} done={query.reload} />
            </Card>
            <Card title={t('repair.retriesTitle')}>
              <Retries of={messageRetries.nodes} done={query.reload} />
            </Card>
          </>
        )}
      </Load>
    </Page>
  )
}

/** What is paused of a kind: chosen where all are known, else typed. */
function TargetField({
  kind,
  value,
  onChange,
}: {
  kind: PauseKind
  value: string
  onChange: (target: string) => void
}) {
  const field = { label: t('repair.target'), value, onChange }
  const none = { value: '', label: t('repair.choose') }
  switch (kind) {
    case 'ENVIRONMENT':
      return null
    case 'CHANNEL':
      return (
        <Select {...field} options={[none, ...channels.map((c) => ({ value: c.toLowerCase(), label: words(c) }))]} />
      )
    case 'INTEGRATION':
      return <IdentifierField {...field} of="integration" hint={t('repair.integrationHint')} />
    case 'WORKFLOW':
      return <IdentifierField {...field} of="workflow" hint={t('repair.workflowHint')} />
    case 'SUBSCRIBER':
      return <IdentifierField {...field} of="subscriber" hint={t('repair.subscriberHint')} />
    default:
      return <Text {...field} hint={t('repair.broadcastHint')} />
  }
}

function NewPause({ done }: { done: () => void }) {
  const [kind, setKind] = useState<PauseKind>('WORKFLOW')
  const [target, setTarget] = useState('')
  const [reason, setReason] = useState('')
  return (
    <Card title={t('repair.newPause')}>
      <div className="filters">
        <Select
          label={t('repair.kind')}
          value={kind}
          onChange={(v) => {
            setKind(v as PauseKind)
            setTarget('')
          }}
          options={['WORKFLOW', 'BROADCAST', 'SUBSCRIBER', 'INTEGRATION', 'CHANNEL', 'ENVIRONMENT']}
        />
        <TargetField kind={kind} value={target} onChange={setTarget} />
        <Text label={t('repair.reason')} value={reason} onChange={setReason} />
      </div>
      <div className="row end">
        <Repair
          label={t('repair.pause')}
          icon={Pause}
          needs="ADMIN"
          document={PauseDeliveryDocument}
          input={{ kind, target: kind === 'ENVIRONMENT' ? undefined : target, reason: reason || undefined }}
          says={({ pauseDelivery: p }) =>
            t('repair.pauses', { events: p.events, notifications: p.notifications, messages: p.messages })
          }
          done={done}
        />
      </div>
    </Card>
  )
}

function NewRetry({ done }: { done: () => void }) {
  const [workflow, setWorkflow] = useState('')
  const [channel, setChannel] = useState('')
  const [errorId, setErrorId] = useState('')
  const [since, setSince] = useState('')
  return (
    <Card title={t('repair.newRetry')}>
      <div className="filters">
        <IdentifierField of="workflow" label={t('filter.workflow')} value={workflow} onChange={setWorkflow} />
        <Select
          label={t('filter.channel')}
          value={channel}
          onChange={setChannel}
          options={[{ value: '', label: t('common.any') }, ...channels]}
        />
        <Text label={t('repair.errorCode')} value={errorId} onChange={setErrorId} />
        <Select
          label={t('filter.since')}
          value={since}
          onChange={setSince}
          options={[
            { value: '', label: t('common.any') },
            ...periods.map((p) => ({ value: p, label: t(`period.${p}` as Key) })),
          ]}
        />
      </div>
      <div className="row end">
        <Repair
          label={t('repair.newRetry')}
          icon={RotateCw}
          document={RetryMessagesDocument}
          input={{
            filter: {
              workflow: workflow || undefined,
              channel: channel ? (channel as Channel) : undefined,
              errorId: errorId || undefined,
              createdAfter: within((name) => (name === 'since' ? since : ''), Date.now()).createdAfter,
            },
          }}
          says={({ retryMessages: r }) => t('repair.retries', { chosen: r.chosen, retried: r.retried })}
          done={done}
        />
      </div>
    </Card>
  )
}

function Pauses({ of, done }: { of: RepairsQuery['pauses']['nodes']; done: () => void }) {
  return (
    <Table
      label={t('repair.pausesTitle')}
      rows={of}
      id={(p) => p.id}
      empty={t('repair.noPauses')}
      columns={[
        { name: t('repair.kind'), cell: (p) => words(p.kind) },
        { name: t('repair.target'), cell: (p) => <Target of={p} /> },
        { name: t('repair.reason'), cell: (p) => p.reason },
        { name: t('common.since'), cell: (p) => <Time at={p.createdAt} /> },
        { name: t('repair.holds'), cell: (p) => number(p.heldCount) },
        {
          name: t('common.state'),
          cell: (p) =>
            p.resumedAt ? (
              <Badge tone={p.heldCount ? 'wait' : 'good'}>
                {p.heldCount ? t('repair.givesBack', { n: p.released }) : t('repair.ended')}
              </Badge>
            ) : (
              <Repair
                label={t('repair.resume')}
                icon={Play}
                needs="ADMIN"
                document={ResumeDeliveryDocument}
                input={{ id: p.internalId }}
                says={({ resumeDelivery: r }) => t('repair.resumes', { n: r.held })}
                done={done}
              />
            ),
        },
      ]}
    />
  )
}

/** What a pause holds, by its name where it is known, as a link to its page. */
function Target({ of: { kind, target, targetName } }: { of: RepairsQuery['pauses']['nodes'][number] }) {
  if (targetName == null) return target && <code>{target}</code>
  if (kind === 'CHANNEL') return words(targetName.toUpperCase())
  const page = pageOf(kind, target, targetName)
  return page ? <Link href={page}>{targetName}</Link> : targetName
}

function pageOf(kind: PauseKind, target: string, name: string): string | undefined {
  switch (kind) {
    case 'WORKFLOW':
      return `/workflows/${target}`
    case 'INTEGRATION':
      return `/integrations/${target}`
    case 'SUBSCRIBER':
      return `/subscribers/${encodeURIComponent(name)}`
    case 'BROADCAST':
      return `/activity?transaction=${encodeURIComponent(name)}`
    default:
      return undefined
  }
}

function Retries({ of, done }: { of: RepairsQuery['messageRetries']['nodes']; done: () => void }) {
  const cancel = useAction(CancelMessageRetryDocument, done)
  return (
    <>
      <Failure error={cancel.error} />
      <Table
        label={t('repair.retriesTitle')}
        rows={of}
        id={(r) => r.id}
        empty={t('repair.noRetries')}
        columns={[
          { name: t('common.since'), cell: (r) => <Time at={r.createdAt} /> },
          { name: t('repair.retried'), cell: (r) => r.retried },
          { name: t('repair.refused'), cell: (r) => r.refused },
          { name: t('repair.perSecond'), cell: (r) => r.perSecond },
          {
            name: t('common.state'),
            cell: (r) =>
              r.status === 'RUNNING' ? (
                <Confirm
                  label={t('repair.stop')}
                  question={t('repair.stopQuestion')}
                  busy={cancel.busy}
                  onConfirm={() => cancel.run({ input: { id: r.internalId } })}
                />
              ) : (
                <Badge>{words(r.status)}</Badge>
              ),
          },
        ]}
      />
    </>
  )
}
