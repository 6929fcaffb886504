import { FastForward, RotateCcw, ScanSearch, Zap } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { request, useAction, useLive, useQuery } from '../api'
import { Button } from '../button'
import { Text, WrongFields } from '../form'
import {
  AdvanceClockDocument,
  ClockDocument,
  ExplainDocument,
  type ExplainQuery,
  type NotificationTraceFragment,
  ResetClockDocument,
  TraceLiveDocument,
  TriggerDocument,
  type WorkflowQuery,
} from '../gql'
import { Once } from '../once'
import { Payload } from '../payload/fields'
import { May } from '../role'
import { Mail } from '../shown-mail'
import { rich } from '../text/rich'
import { t } from '../text/text'
import { Badge, Card, Failure, Load, Note, Time } from '../ui'
import { words } from '../words'
import { RunBadge } from './activity'
import { Timeline } from './trace'

type Workflow = WorkflowQuery['workflowByReference']

/** Explains what a trigger would do, sends it, and moves the environment’s clock. */
export function Test({ w }: { w: Workflow }) {
  const [subscriber, setSubscriber] = useState('test-subscriber')
  const [payload, setPayload] = useState<unknown>({})
  const [error, setError] = useState<Error>()
  const [explained, setExplained] = useState<ExplainQuery['explain']>()
  const [transaction, setTransaction] = useState('')
  const [busy, setBusy] = useState(false)
  const [once] = useState(() => new Once())
  const attempt = async (
    work: (input: { name: string; to: { subscriberId: string }[]; payload: never }) => Promise<void>,
  ) => {
    setBusy(true)
    setError(undefined)
    setTransaction('')
    try {
      await work({
        name: w.identifier,
        to: [{ subscriberId: subscriber }],
        payload: payload as never,
      })
    } catch (e) {
      setError(e as Error)
    }
    setBusy(false)
  }
  const explain = () => attempt(async (input) => setExplained((await request(ExplainDocument, { input })).explain))
  const trigger = () =>
    attempt(async (input) => {
      const { result: r } = (
        await once.send(input, (transactionId) => request(TriggerDocument, { input: { ...input, transactionId } }))
      ).triggerEvent
      if (r.status !== 'PROCESSED') throw new Error(`${words(r.status)}. ${r.error?.join(' ') ?? ''}`)
      setTransaction(r.transactionId ?? '')
    })
  return (
    <>
      {w.publishedNumber === 0 && <Note tone="wait">{t('workflowtest.onlyPublishedWorkflowsCanBe')}</Note>}
      <div className="cols">
        <Card title={t('workflowtest.testRun')}>
          <WrongFields error={error}>
            <Text label={t('common.subscriber')} at="to" value={subscriber} onChange={setSubscriber} />
            <Payload workflow={w.identifier} payload={payload} onChange={setPayload} />
          </WrongFields>
          <Failure error={error} />
          <div className="row">
            <Button icon={ScanSearch} disabled={busy} onClick={explain}>
              {t('workflowtest.explain')}
            </Button>
            <May>
              <Button icon={Zap} look="primary" disabled={busy} onClick={trigger}>
                {t('word.TRIGGER')}
              </Button>
            </May>
          </div>
          <p className="soft small">{t('workflowtest.explainShowsWhatWouldHappen')}</p>
          <div role="status">
            {transaction && (
              <Note tone="good">
                {rich('workflowtest.accepted', { transaction: <code>{transaction}</code> })}{' '}
                <Link href={`/activity?transaction=${encodeURIComponent(transaction)}`}>
                  {t('workflowtest.viewInActivity')}
                </Link>
              </Note>
            )}
          </div>
        </Card>
        <Clock />
        {transaction && <Run transaction={transaction} key={transaction} />}
        {explained && <Explanation of={explained} />}
      </div>
    </>
  )
}

function Explanation({ of }: { of: ExplainQuery['explain'] }) {
  return (
    <Card title={t('workflowtest.whatWouldHappen')} actions={<Badge>{words(of.status)}</Badge>}>
      {of.error?.map((e) => (
        <p key={e}>{e}</p>
      ))}
      {of.recipients.map((r) => (
        <div className="stack" key={r.subscriberId}>
          <h3>
            {r.subscriberId} {r.created && <Badge>{t('workflowtest.wouldBeCreated')}</Badge>}
          </h3>
          <ol className="timeline">
            {r.steps.map((s, i) => (
              <li key={i} className={s.decision === 'SEND' ? 'good' : s.decision === 'WAIT' ? 'wait' : ''}>
                <div className="row">
                  <Badge>{words(s.decision)}</Badge>
                  {s.stepId && <code>{s.stepId}</code>}
                  <span className="soft">{words(s.reason)}</span>
                </div>
                {s.detail && <div>{s.detail}</div>}
                {s.condition && <pre tabIndex={0}>{s.condition.text}</pre>}
                {s.message && (
                  <div>
                    {t('workflowtest.through', {
                      integration: s.message.integrationIdentifier,
                      address: s.message.to.join(', ') || r.subscriberId,
                    })}{' '}
                    {s.message.subject && <strong>{s.message.subject}</strong>}
                    {s.message.content?.html ? (
                      <Mail
                        html={s.message.content.html}
                        title={t('workflowtest.mailOfStepId', { stepId: s.stepId ?? '' })}
                      />
                    ) : (
                      <pre tabIndex={0}>{s.message.content?.text}</pre>
                    )}
                  </div>
                )}
                <div className="soft small">
                  <Time at={s.at} />
                </div>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </Card>
  )
}

const nothing = () => {}

/** What becomes of a trigger, as it happens: the clock beside it moves it on. */
function Run({ transaction }: { transaction: string }) {
  const [runs, setRuns] = useState<Record<string, NotificationTraceFragment>>({})
  useLive(
    TraceLiveDocument,
    { filter: { transactionId: transaction } },
    ({ notificationUpdates: n }) => setRuns((all) => ({ ...all, [n.id]: n })),
    nothing, // a subscription of a transaction begins with all that is there
  )
  return (
    <Card title={t('workflowtest.whatHappens')}>
      {Object.keys(runs).length === 0 && <p className="soft">{t('workflowtest.waitingForTheRun')}</p>}
      {Object.values(runs).map((n) => (
        <div className="stack" key={n.id}>
          <div className="row">
            <Link href={`/activity/${n.id}`}>{n.subscriber?.subscriberId ?? t('workflowtest.notification')}</Link>
            <RunBadge of={n} />
          </div>
          <Timeline of={n.trace} />
        </div>
      ))}
    </Card>
  )
}

function Clock() {
  const query = useQuery(ClockDocument, {})
  const advance = useAction(AdvanceClockDocument, query.reload)
  const reset = useAction(ResetClockDocument, query.reload)
  return (
    <Card title={t('workflowtest.clock')}>
      <Load of={query}>
        {({ environmentClock: c }) => (
          <>
            <p>
              <Time at={c.now} /> {c.frozen && <Badge tone="wait">{t('workflowtest.paused')}</Badge>}
            </p>
            {c.virtual ? (
              <May needs="ADMIN">
                <div className="row">
                  {(
                    [
                      ['MINUTES', 'PT1M'],
                      ['HOURS', 'PT1H'],
                      ['DAYS', 'P1D'],
                      ['WEEKS', 'P7D'],
                    ] as const
                  ).map(([unit, by]) => (
                    <Button icon={FastForward} key={by} disabled={advance.busy} onClick={() => advance.run({ by })}>
                      {t('workflowtest.forward', { span: t(`summary.span.${unit}`, { n: 1 }) })}
                    </Button>
                  ))}
                  <Button icon={RotateCcw} disabled={reset.busy || !c.frozen} onClick={() => reset.run({})}>
                    {t('workflowtest.resetToRealTime')}
                  </Button>
                </div>
              </May>
            ) : (
              <p className="soft small">{t('workflowtest.thisEnvironmentUsesTheReal')}</p>
            )}
            <Failure error={advance.error ?? reset.error} />
          </>
        )}
      </Load>
    </Card>
  )
}
