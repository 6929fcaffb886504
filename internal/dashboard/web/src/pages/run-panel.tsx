import { CircleX, Expand, ScanSearch, Workflow, X } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { request, useAction, useLive, useQuery } from '../api'
import { Button, IconButton } from '../button'
import {
  CancelRunDocument,
  EventDocument,
  ExplainRunDocument,
  type ExplainRunQuery,
  NotificationDocument,
  type NotificationTraceFragment,
  TraceLiveDocument,
} from '../gql'
import { Confirm } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { toast } from '../toast'
import { Badge, Card, Empty, Failure, Load, Time } from '../ui'
import { words } from '../words'
import { RunBadge, reasonText } from './run-badge'
import { RunBody } from './trace'
import { newer } from './trace-state'

/** A run as it is now: read once, and renewed whenever its trace grows. */
export function useRun(id: string) {
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
  return { ...query, data: stored && newer(update, stored) }
}

/** A run beside the list that it was chosen from. */
export function RunPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const run = useRun(id)
  const [, go] = useLocation()
  return (
    <aside className="panel" aria-label={t('run.panel')} tabIndex={0}>
      <div className="panel-head card">
        <div className="head">
          <h2>{run.data ? (run.data.workflow?.name ?? t('run.deletedWorkflow')) : t('ui.loading')}</h2>
          <span className="row end">
            <IconButton label={t('run.full')} icon={Expand} onClick={() => go(`/activity/${id}`)} />
            <IconButton label={t('ui.close')} icon={X} onClick={onClose} />
          </span>
        </div>
        {run.data && (
          <div className="row">
            <RunBadge of={run.data} />
            <span className="soft">{run.data.subscriber?.subscriberId}</span>
          </div>
        )}
      </div>
      <Load of={run}>{(n) => <RunBody n={n} reload={run.reload} />}</Load>
    </aside>
  )
}

/** A context as triggers name it, of its key. */
function contextOf(key: string) {
  const [type = '', ...id] = key.split(':')
  return { type, id: id.join(':') }
}

const running = new Set(['PENDING', 'WAITING', 'PARKED'])

/** What can be done about a run, and what its event would do if it came again now. */
export function RunActions({ n, reload }: { n: NotificationTraceFragment; reload: () => void }) {
  const cancel = useAction(CancelRunDocument, ({ cancelNotification: { result: r } }) => {
    toast(r.stoppedCount > 0 ? t('run.cancelled') : t('run.tooLate'), { bad: r.stoppedCount === 0 })
    reload()
  })
  const [explained, setExplained] = useState<ExplainRunQuery['explain']>()
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const explain = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { event } = await request(EventDocument, { id: n.eventId })
      const { explain } = await request(ExplainRunDocument, {
        input: {
          name: n.workflow!.identifier,
          to: [{ subscriberId: n.subscriber!.subscriberId }],
          payload: event.payload,
          tenantIdentifier: n.tenant?.identifier,
          context: n.contextKeys.length > 0 ? n.contextKeys.map(contextOf) : undefined,
        },
      })
      setExplained(explain)
    } catch (e) {
      setError(e as Error)
    }
    setBusy(false)
  }
  return (
    <>
      <div className="row">
        {n.workflow && n.subscriber && (
          <Button icon={ScanSearch} disabled={busy} onClick={explain}>
            {t('run.explain')}
          </Button>
        )}
        {running.has(n.status) && (
          <May>
            <Confirm
              label={t('run.cancel')}
              icon={CircleX}
              question={t('run.cancelQuestion')}
              no={t('run.keep')}
              busy={cancel.busy}
              onConfirm={() => cancel.run({ id: n.id })}
            />
          </May>
        )}
      </div>
      <Failure error={error ?? cancel.error} />
      {explained && <Explained of={explained} />}
    </>
  )
}

/** What a trigger would do now. */
export function Explained({ of }: { of: ExplainRunQuery['explain'] }) {
  return (
    <Card title={t('run.wouldHappen')}>
      {of.error?.map((e) => (
        <p key={e}>{e}</p>
      ))}
      {of.recipients.map((r) => (
        <div className="stack" key={r.subscriberId}>
          {!r.reached && (
            <p>
              {r.reason ? reasonText(r.reason) : t('run.notReached')}
              {r.condition && <pre tabIndex={0}>{r.condition.text}</pre>}
            </p>
          )}
          {r.created && <Badge>{t('run.wouldBeCreated')}</Badge>}
          <ol className="outcomes">
            {r.steps.map((s, i) => (
              <li key={i} className={s.decision === 'SEND' ? 'sent' : s.decision === 'SKIP' ? 'skipped' : 'waiting'}>
                <Workflow aria-hidden className="icon" />
                <span>
                  {s.stepId && (
                    <>
                      <code>{s.stepId}</code>{' '}
                    </>
                  )}
                  {words(s.decision)}: {reasonText(s.reason)}
                  {s.message && ` → ${s.message.to.join(', ') || r.subscriberId}`}
                  {s.until && (
                    <>
                      {' '}
                      <Time at={s.until} precise />
                    </>
                  )}
                  {s.detail && <span className="soft"> {s.detail}</span>}
                </span>
                {s.condition && <pre tabIndex={0}>{s.condition.text}</pre>}
              </li>
            ))}
          </ol>
        </div>
      ))}
    </Card>
  )
}

/** Why a subscriber got nothing of a workflow: there was no run, and this is what a trigger would do now. */
export function WhyNot({ subscriber, workflow }: { subscriber: string; workflow: string }) {
  const [state, setState] = useState<{ explained?: ExplainRunQuery['explain']; error?: Error; busy?: boolean }>({})
  const explain = () => {
    setState({ busy: true })
    request(ExplainRunDocument, { input: { name: workflow, to: [{ subscriberId: subscriber }], payload: {} } }).then(
      ({ explain }) => setState({ explained: explain }),
      (error: Error) => setState({ error }),
    )
  }
  return (
    <div className="stack pad">
      <Empty
        action={
          <Button icon={ScanSearch} disabled={state.busy} onClick={explain}>
            {t('why.explain')}
          </Button>
        }
      >
        {t('why.none', { subscriber, workflow })}
      </Empty>
      <Failure error={state.error} />
      {state.explained && <Explained of={state.explained} />}
    </div>
  )
}
