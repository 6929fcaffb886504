import { Ban, CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useInnerPager } from '../address'
import { useQuery } from '../api'
import { Button } from '../button'
import { AttemptsDocument, type CallFragment, EventDocument, type NotificationTraceFragment } from '../gql'
import { Mail } from '../shown-mail'
import { rich } from '../text/rich'
import { t } from '../text/text'
import { lasted } from '../time'
import { Badge, Card, Facts, JSONView, Load, Note, Page, Pager, Time, useNow } from '../ui'
import { words } from '../words'
import { messageTones, RunBadge, reasonText } from './run-badge'
import { addressOf, type StepOutcome, stepOutcomes } from './run-outcome'
import { RunActions, useRun } from './run-panel'
import { Resend, RunRepairs } from './run-repairs'
import { stepSpans } from './trace-spans'
import { reasonTone } from './trace-state'
import './trace.css'

export { messageTones } from './run-badge'

type Run = NotificationTraceFragment

/** One run with everything that was decided about it, as it happens. */
export function Trace({ id }: { id: string }) {
  const run = useRun(id)
  return (
    <Load of={run} title={t('run.run')}>
      {(n) => (
        <Page title={n.workflow?.name ?? t('run.deletedWorkflow')} actions={<RunBadge of={n} />}>
          <div className="run">
            <RunBody n={n} reload={run.reload} />
          </div>
        </Page>
      )}
    </Load>
  )
}

/** Everything about a run. */
export function RunBody({ n, reload }: { n: Run; reload: () => void }) {
  return (
    <>
      <RunActions n={n} reload={reload} />
      <Card title={t('run.outcome')}>
        {n.heldBy && (
          <Note tone="wait">{rich('run.held', { pauses: <Link href="/repairs">{t('nav.repairs')}</Link> })}</Note>
        )}
        <Outcomes n={n} />
        <Spans n={n} />
      </Card>
      {n.messages?.nodes.map((m) => (
        <MessageCard key={m.id} m={m} reload={reload} />
      ))}
      <RunRepairs n={n} reload={reload} />
      <Card title={t('run.timeline')}>
        <Timeline of={n.trace} />
      </Card>
      <Card title={t('common.details')}>
        <Details n={n} />
      </Card>
      <Trigger id={n.eventId} />
    </>
  )
}

const icons: Record<StepOutcome['kind'], LucideIcon> = {
  sent: CircleCheck,
  failed: CircleX,
  skipped: Ban,
  waiting: Clock,
}

/** What became of each step, in a sentence, with the condition that decided and its values. */
function Outcomes({ n }: { n: Run }) {
  const steps = stepOutcomes(n.trace)
  if (steps.length === 0) return n.heldBy ? null : <p className="soft">{t('run.noSteps')}</p>
  return (
    <ul className="outcomes">
      {steps.map(({ stepId, channel, reason, kind }) => {
        const Icon = icons[kind]
        const decided = n.trace.findLast((e) => e.stepId === stepId && e.reason === reason)
        return (
          <li key={stepId} className={kind}>
            <Icon aria-hidden className="icon" />
            <span>
              <code>{stepId}</code> {channel && <span className="soft">{words(channel)}</span>} {reasonText(reason)}
              {decided?.detail && <span className="soft"> {decided.detail}</span>}
              {decided?.until && (
                <>
                  {' '}
                  <Time at={decided.until} precise />
                </>
              )}
            </span>
            <Condition of={decided?.data} />
          </li>
        )
      })}
    </ul>
  )
}

/** The condition that decided, with the values of its operands. */
function Condition({ of }: { of: unknown }) {
  const text = (of as { condition?: unknown } | null | undefined)?.condition
  return typeof text === 'string' ? (
    <pre tabIndex={0} role="region" aria-label={t('run.condition')}>
      {text}
    </pre>
  ) : null
}

/** The run on a time line: waits and sends to scale. */
function Spans({ n }: { n: Run }) {
  const now = useNow()
  const start = Date.parse(n.createdAt)
  // The environment's clock may be ahead of this one.
  const latest = Math.max(...n.trace.map((e) => Date.parse(e.lastAt)), start)
  const end = n.finishedAt
    ? Math.max(Date.parse(n.finishedAt), latest)
    : Math.max(latest, n.dueAt ? Date.parse(n.dueAt) : now)
  const { steps, total } = stepSpans(n.trace, start, end)
  if (steps.length === 0) return null
  return (
    <div className="spans" role="group" aria-label={t('run.spans')}>
      {steps.map((s) => {
        const ms = s.spans.reduce((sum, span) => sum + span.ms, 0)
        return (
          <div key={s.stepId} style={{ display: 'contents' }}>
            <code>{s.stepId}</code>
            <span className="track" aria-hidden>
              {s.spans.map((span, i) => (
                <span
                  key={i}
                  className={span.kind}
                  title={`${t(span.kind === 'wait' ? 'run.waited' : span.kind === 'send' ? 'run.sending' : 'run.worked')} ${lasted(span.ms)}`}
                  style={{ left: `${span.from * 100}%`, width: `${(span.to - span.from) * 100}%` }}
                />
              ))}
            </span>
            <span className="soft">{lasted(ms)}</span>
          </div>
        )
      })}
      <span className="axis">
        <Time at={n.createdAt} precise />
        <span>{lasted(total)}</span>
      </span>
    </div>
  )
}

/** What was decided, one after the other. */
export function Timeline({ of }: { of: Run['trace'] }) {
  if (of.length === 0) return <p className="soft">{t('run.noEntries')}</p>
  return (
    <ol className="timeline" aria-live="polite">
      {of.map((entry, i) => (
        <li key={i} className={reasonTone(entry.reason)}>
          <div className="row">
            <Badge tone={reasonTone(entry.reason)}>{words(entry.reason)}</Badge>
            {entry.stepId && <code>{entry.stepId}</code>}
            {entry.channel && <span className="soft">{words(entry.channel)}</span>}
            {entry.count > 1 && <span className="soft">{t('run.times', { n: entry.count })}</span>}
            {entry.attempt != null && <span className="soft">{t('run.attempt', { n: entry.attempt })}</span>}
            {entry.integration && <Link href={`/integrations/${entry.integration.id}`}>{entry.integration.name}</Link>}
          </div>
          {entry.reasons && entry.reasons.length > 1 && (
            <div>{t('run.also', { reasons: entry.reasons.slice(1).map(words).join(', ') })}</div>
          )}
          {entry.detail && <div>{entry.detail}</div>}
          {entry.until && (
            <div>
              {t('run.until')} <Time at={entry.until} precise />
            </div>
          )}
          {entry.data != null && (
            <details className="small">
              <summary>
                {t('common.details')}
                <span className="hidden">: {words(entry.reason)}</span>
              </summary>
              <JSONView label={words(entry.reason)} value={entry.data} />
            </details>
          )}
          <div className="soft small">
            <Time at={entry.at} precise />
            {entry.count > 1 && (
              <>
                {' – '}
                <Time at={entry.lastAt} precise />
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Details({ n }: { n: Run }) {
  const facts: Record<string, ReactNode> = {
    [t('column.transaction')]: (
      <Link href={`/activity?transaction=${encodeURIComponent(n.transactionId)}`}>
        <code>{n.transactionId}</code>
      </Link>
    ),
    [t('common.subscriber')]: n.subscriber && (
      <Link href={`/subscribers/${encodeURIComponent(n.subscriber.subscriberId)}`}>{n.subscriber.subscriberId}</Link>
    ),
    [t('common.workflow')]: n.workflow && (
      <Link href={`/workflows/${encodeURIComponent(n.workflow.identifier)}`}>{n.workflow.identifier}</Link>
    ),
    [t('common.version')]: n.workflow && n.workflowVersion && (
      <Link href={`/workflows/${encodeURIComponent(n.workflow.identifier)}/versions`}>{n.workflowVersion.number}</Link>
    ),
    [t('word.TENANT')]: n.tenant && (
      <Link href={`/tenants/${encodeURIComponent(n.tenant.identifier)}`}>{n.tenant.name || n.tenant.identifier}</Link>
    ),
    [t('word.ACCEPTED')]: <Time at={n.createdAt} precise />,
    [t('run.finished')]: <Time at={n.finishedAt} precise />,
    [t('run.due')]: n.dueAt && <Time at={n.dueAt} precise />,
    [t('nav.topics')]: n.topics?.join(', '),
    [t('nav.contexts')]: n.contextKeys.join(', ') || null,
    [t('run.record')]: <code>{n.internalId}</code>,
  }
  return <Facts of={Object.fromEntries(Object.entries(facts).filter(([, value]) => value))} />
}

type Sent = NonNullable<Run['messages']>['nodes'][number]

function MessageCard({ m, reload }: { m: Sent; reload: () => void }) {
  const [all, setAll] = useState(false)
  const calls = m.attempts?.nodes ?? []
  const facts: Record<string, ReactNode> = {
    [t('word.STEP')]: <code>{m.stepId}</code>,
    [t('common.to')]: addressOf(m),
    [t('word.INTEGRATION')]: m.integration && (
      <Link href={`/integrations/${m.integration.id}`}>{m.integration.name}</Link>
    ),
    [t('common.provider')]: m.providerId,
    [t('run.providerId')]: m.providerMessageId && <code>{m.providerMessageId}</code>,
    [t('word.RECEIPT')]: m.receipt && (
      <>
        {words(m.receipt)} <Time at={m.receiptAt} />
      </>
    ),
    [t('run.nextAttempt')]: m.dueAt && <Time at={m.dueAt} precise />,
    [t('word.ERROR')]: m.errorText,
  }
  return (
    <Card
      title={t('run.message', { channel: words(m.channel) })}
      actions={<Badge tone={messageTones[m.status]}>{m.heldBy ? t('run.paused') : words(m.status)}</Badge>}
    >
      <Facts of={Object.fromEntries(Object.entries(facts).filter(([, value]) => value))} />
      {(m.subject ?? m.title) && <strong>{m.subject ?? m.title}</strong>}
      {m.content &&
        (m.content.html ? (
          <Mail html={m.content.html} text={m.content.text} title={t('run.mail')} />
        ) : (
          <pre tabIndex={0} role="region" aria-label={t('run.text')}>
            {m.content.text}
          </pre>
        ))}
      {m.channel !== 'IN_APP' && m.status !== 'PENDING' && (
        <div>
          <Resend message={m.internalId} done={reload} />
        </div>
      )}
      {calls.length > 0 && <h3>{t('run.attempts')}</h3>}
      {all ? (
        <AllAttempts message={m.internalId} />
      ) : (
        <>
          <Attempts of={calls} />
          {m.attemptCount > calls.length && (
            <div>
              <Button onClick={() => setAll(true)}>{t('run.allAttempts', { n: m.attemptCount })}</Button>
            </div>
          )}
        </>
      )}
    </Card>
  )
}

const tones = { INTENT: 'wait', ACCEPTED: 'good', REJECTED: 'bad', UNKNOWN: 'wait' } as const

/** The requests to a provider, each with what it answered. */
function Attempts({ of }: { of: readonly CallFragment[] }) {
  return (
    <ol className="attempts">
      {of.map((a) => (
        <li key={a.id}>
          <div className="row">
            <strong>{a.number}.</strong>
            <Badge tone={tones[a.outcome]}>{words(a.outcome)}</Badge>
            {a.integration ? (
              <Link href={`/integrations/${a.integration.id}`}>{a.integration.name}</Link>
            ) : (
              a.providerId
            )}
            {a.finishedAt && <span className="soft">{lasted(Date.parse(a.finishedAt) - Date.parse(a.createdAt))}</span>}
            <span className="soft">
              <Time at={a.createdAt} precise />
            </span>
          </div>
          {(a.httpStatus || a.code || a.errorText) && (
            <div className="mono small">{[a.httpStatus, a.code, a.errorText].filter(Boolean).join(' ')}</div>
          )}
          {(a.class || a.duplicatePossible) && (
            <div className="soft small">
              {[a.class && words(a.class), a.duplicatePossible && t('run.duplicatePossible')]
                .filter(Boolean)
                .join(', ')}
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

function AllAttempts({ message }: { message: string }) {
  const pager = useInnerPager()
  const query = useQuery(AttemptsDocument, { message, ...pager.variables })
  return (
    <Load of={query}>
      {({ attempts }) => (
        <>
          <Attempts of={attempts.nodes} />
          <Pager label={t('run.attempts')} pager={pager} info={attempts.pageInfo} />
        </>
      )}
    </Load>
  )
}

function Trigger({ id }: { id: string }) {
  const query = useQuery(EventDocument, { id })
  return (
    <Card title={t('run.trigger')}>
      <Load of={query}>
        {({ event }) => (
          <>
            <Facts
              of={{
                [t('run.kind')]: words(event.kind),
                [t('nav.subscribers')]: event.notified,
                ...(event.failures > 0 && { [t('run.failed')]: event.failures }),
                ...(event.requestId && { [t('run.request')]: <code>{event.requestId}</code> }),
              }}
            />
            <h3>{t('run.payload')}</h3>
            <JSONView label={t('run.payload')} value={event.payload} />
            {event.overrides != null && (
              <>
                <h3>{t('run.overrides')}</h3>
                <JSONView label={t('run.overrides')} value={event.overrides} />
              </>
            )}
          </>
        )}
      </Load>
    </Card>
  )
}
