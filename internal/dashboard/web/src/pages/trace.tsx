import { ListTree } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useInnerPager } from '../address'
import { useLive, useQuery } from '../api'
import { Button } from '../button'
import {
  AttemptsDocument,
  EventDocument,
  type MessageStatus,
  NotificationDocument,
  type NotificationTraceFragment,
  TraceLiveDocument,
} from '../gql'
import { Badge, Card, Facts, JSONView, Load, Mail, Page, Pager, Table, Time, type Tone } from '../ui'
import { words } from '../words'
import { RunBadge } from './activity'
import { newer, reasonTone } from './trace-state'

export const messageTones: Record<MessageStatus, Tone> = {
  PENDING: 'wait',
  SENT: 'good',
  ERROR: 'bad',
  WARNING: 'wait',
}

/** One notification with everything that was decided about it, as it happens. */
export function Trace({ id }: { id: string }) {
  const query = useQuery(NotificationDocument, { id })
  const [update, setUpdate] = useState<NotificationTraceFragment>()
  const stored = query.data?.notification
  useLive(
    TraceLiveDocument,
    { filter: { transactionId: stored?.transactionId, subscriberId: stored?.subscriber?.subscriberId } },
    ({ notificationUpdates: n }) => n.id === stored?.id && setUpdate(n),
    query.reload,
    !stored,
  )
  return <Load of={query}>{({ notification }) => <Shown n={newer(update, notification)} />}</Load>
}

/** What was decided, one after the other. */
export function Timeline({ of }: { of: NotificationTraceFragment['trace'] }) {
  if (of.length === 0) return <p className="soft">No entries yet.</p>
  return (
    <ol className="timeline" aria-live="polite">
      {of.map((entry, i) => (
        <li key={i} className={reasonTone(entry.reason)}>
          <div className="row">
            <Badge tone={reasonTone(entry.reason)}>{words(entry.reason)}</Badge>
            {entry.stepId && <code>{entry.stepId}</code>}
            {entry.channel && <span className="soft">{words(entry.channel)}</span>}
            {entry.count > 1 && <span className="soft">{entry.count} times</span>}
            {entry.attempt != null && <span className="soft">attempt {entry.attempt}</span>}
          </div>
          {entry.reasons && entry.reasons.length > 1 && <div>also: {entry.reasons.slice(1).map(words).join(', ')}</div>}
          {entry.detail && <div>{entry.detail}</div>}
          {entry.until && (
            <div>
              until <Time at={entry.until} />
            </div>
          )}
          {entry.data != null && (
            <details className="small">
              <summary>
                Details<span className="hidden"> of {words(entry.reason)}</span>
              </summary>
              <JSONView label={`Details of ${words(entry.reason)}`} value={entry.data} />
            </details>
          )}
          <div className="soft small">
            <Time at={entry.at} />
            {entry.count > 1 && (
              <>
                {' '}
                to <Time at={entry.lastAt} />
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Shown({ n }: { n: NotificationTraceFragment }) {
  return (
    <Page title={n.workflow?.name ?? 'Notification'} actions={<RunBadge of={n} />}>
      <div className="cols">
        <Card title="Timeline">
          <Timeline of={n.trace} />
        </Card>
        <div className="stack">
          <Card title="Details">
            <Facts
              of={{
                Transaction: (
                  <Link href={`/activity?transaction=${encodeURIComponent(n.transactionId)}`}>
                    <code>{n.transactionId}</code>
                  </Link>
                ),
                Subscriber: n.subscriber && (
                  <Link href={`/subscribers/${encodeURIComponent(n.subscriber.subscriberId)}`}>
                    {n.subscriber.subscriberId}
                  </Link>
                ),
                Workflow: n.workflow && (
                  <Link href={`/workflows/${encodeURIComponent(n.workflow.identifier)}`}>{n.workflow.identifier}</Link>
                ),
                Accepted: <Time at={n.createdAt} />,
                Finished: <Time at={n.finishedAt} />,
                Due: n.dueAt && <Time at={n.dueAt} />,
                Topics: n.topics?.join(', '),
                Context: n.contextKeys.join(', ') || null,
                Record: <code>{n.internalId}</code>,
              }}
            />
          </Card>
          {n.messages?.nodes.map((m) => (
            <MessageCard key={m.id} m={m} />
          ))}
          <Trigger id={n.eventId} />
        </div>
      </div>
    </Page>
  )
}

function MessageCard({ m }: { m: NonNullable<NotificationTraceFragment['messages']>['nodes'][number] }) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title={`${words(m.channel)} message`}
      actions={<Badge tone={messageTones[m.status]}>{words(m.status)}</Badge>}
    >
      <Facts
        of={{
          Step: <code>{m.stepId}</code>,
          To: m.target,
          Provider: m.providerId,
          'Provider’s id': m.providerMessageId && <code>{m.providerMessageId}</code>,
          Receipt: m.receipt && words(m.receipt),
          Attempts: m.attemptCount,
          Error: m.errorText,
        }}
      />
      {(m.subject ?? m.title) && <strong>{m.subject ?? m.title}</strong>}
      {m.content &&
        (m.content.html ? <Mail html={m.content.html} title="Mail" /> : <pre tabIndex={0}>{m.content.text}</pre>)}
      <div>
        <Button icon={ListTree} aria-expanded={open} onClick={() => setOpen(!open)}>
          Attempts
        </Button>
      </div>
      {open && <Attempts message={m.internalId} />}
    </Card>
  )
}

function Attempts({ message }: { message: string }) {
  const pager = useInnerPager()
  const query = useQuery(AttemptsDocument, { message, ...pager.variables })
  return (
    <Load of={query}>
      {({ attempts }) => (
        <>
          <Table
            label="Attempts"
            rows={attempts.nodes}
            id={(a) => a.id}
            empty="No attempts yet."
            columns={[
              { name: 'No.', cell: (a) => a.number },
              { name: 'Provider', cell: (a) => a.providerId },
              {
                name: 'Outcome',
                cell: (a) => (
                  <Badge tone={a.outcome === 'ACCEPTED' ? 'good' : a.outcome === 'REJECTED' ? 'bad' : 'wait'}>
                    {words(a.outcome)}
                  </Badge>
                ),
              },
              { name: 'Response', cell: (a) => [a.httpStatus, a.code, a.errorText].filter(Boolean).join(' ') || '–' },
              { name: 'When', cell: (a) => <Time at={a.createdAt} /> },
            ]}
          />
          <Pager pager={pager} info={attempts.pageInfo} />
        </>
      )}
    </Load>
  )
}

function Trigger({ id }: { id: string }) {
  const query = useQuery(EventDocument, { id })
  return (
    <Card title="Trigger">
      <Load of={query}>
        {({ event }) => (
          <>
            <Facts
              of={{
                Type: words(event.kind),
                Subscribers: event.notified,
                Failures: event.failures,
                Request: event.requestId && <code>{event.requestId}</code>,
              }}
            />
            <h3>Payload</h3>
            <JSONView label="Payload" value={event.payload} />
            {event.overrides != null && (
              <>
                <h3>Overrides</h3>
                <JSONView label="Overrides" value={event.overrides} />
              </>
            )}
          </>
        )}
      </Load>
    </Card>
  )
}
