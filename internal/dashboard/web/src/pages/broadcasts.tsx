import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { Form, NumberField } from '../form'
import {
  BroadcastEventDocument,
  BroadcastsDocument,
  type BroadcastsQuery,
  CancelBroadcastDocument,
  PaceBroadcastDocument,
  PauseDeliveryDocument,
  ResumeDeliveryDocument,
} from '../gql'
import { Confirm, Popover } from '../overlay'
import { Repair } from '../repair'
import { useMay } from '../role'
import { number, t } from '../text/text'
import { Badge, Card, Failure, Load, Page, Pager, Table, Time } from '../ui'
import { words } from '../words'
import { useRefresh } from './refresh'

type Broadcast = BroadcastsQuery['events']['nodes'][number]

/** What one event has come to, live. */
export function BroadcastEvent({ id }: { id: string }) {
  const query = useQuery(BroadcastEventDocument, { id })
  useRefresh(query.data?.event.status === 'ACCEPTED', query.reload)
  return <Load of={query}>{({ event }) => <BroadcastList of={[event]} done={query.reload} />}</Load>
}

/** What broadcasts have come to, live, and what can be done with those that are being made. */
export function Broadcasts() {
  const pager = usePager()
  const query = useQuery(BroadcastsDocument, pager.variables)
  const { reload } = query
  const open = (events: Broadcast[] = []) => events.some((e) => e.progress && e.status === 'ACCEPTED')
  useRefresh(open(query.data?.events.nodes) || open(query.data?.underWay.nodes), reload)
  return (
    <Page title={t('nav.broadcasts')}>
      <Card>
        <Load of={query}>
          {({ events, underWay }) => (
            <>
              <BroadcastList of={[...underWay.nodes.filter((e) => e.progress), ...events.nodes]} done={reload} />
              <Pager label={t('nav.broadcasts')} pager={pager} info={events.pageInfo} />
            </>
          )}
        </Load>
      </Card>
    </Page>
  )
}

/** What events have come to, and what can be done with them. */
export function BroadcastList({ of, done }: { of: Broadcast[]; done: () => void }) {
  const cancel = useAction(CancelBroadcastDocument, done)
  return (
    <>
      <Failure error={cancel.error} />
      <Table
        label={t('nav.broadcasts')}
        rows={of}
        id={(e) => e.id}
        empty={t('broadcast.none')}
        columns={[
          { name: t('common.workflow'), cell: (e) => e.workflow?.name ?? '–' },
          { name: t('common.since'), cell: (e) => <Time at={e.createdAt} /> },
          { name: t('common.state'), cell: (e) => <State of={e} /> },
          { name: t('broadcast.progress'), cell: (e) => <Progress of={e} /> },
          { name: t('word.SENT'), cell: (e) => e.progress && number(e.progress.sent) },
          { name: t('word.FAILED'), cell: (e) => e.progress && number(e.progress.failed) },
          { name: t('broadcast.skipped'), cell: (e) => e.progress && number(e.progress.skipped) },
          { name: t('repair.perSecond'), cell: (e) => <Pace of={e} done={done} /> },
          {
            name: '',
            cell: (e) => (
              <div className="row">
                <Hold of={e} done={done} />
                {e.status === 'ACCEPTED' && (
                  <Confirm
                    label={t('broadcast.cancel')}
                    question={t('broadcast.cancelQuestion')}
                    no={t('run.keep')}
                    busy={cancel.busy}
                    onConfirm={() => cancel.run({ transactionId: e.transactionId })}
                  />
                )}
              </div>
            ),
          },
        ]}
      />
    </>
  )
}

function State({ of: { status, progress } }: { of: Broadcast }) {
  if (progress?.pause) return <Badge tone="wait">{t('broadcast.paused')}</Badge>
  return <Badge tone={status === 'FANNED_OUT' ? 'good' : status === 'PARKED' ? 'bad' : ''}>{words(status)}</Badge>
}

/** The notifications made, and how many of the subscribers were looked at, of whom an audience's rule leaves some out. */
function Progress({ of: { status, progress } }: { of: Broadcast }) {
  if (!progress) return '–'
  const planned = `${number(progress.planned)}${progress.plannedCapped ? '+' : ''}`
  const examined = progress.plannedCapped ? progress.examined : Math.min(progress.examined, progress.planned)
  return (
    <div className="stack">
      <span>{number(progress.notified)}</span>
      <small className="soft">{t('broadcast.of', { examined, planned })}</small>
      {status === 'ACCEPTED' && !progress.plannedCapped && (
        <progress aria-label={t('broadcast.progress')} value={examined} max={Math.max(progress.planned, 1)} />
      )}
    </div>
  )
}

function Hold({ of: { internalId, status, progress }, done }: { of: Broadcast; done: () => void }) {
  if (progress?.pause)
    return (
      <Repair
        label={t('repair.resume')}
        icon={Play}
        needs="ADMIN"
        document={ResumeDeliveryDocument}
        input={{ id: progress.pause.internalId }}
        says={({ resumeDelivery: r }) => t('repair.resumes', { n: r.held })}
        done={done}
      />
    )
  if (status !== 'ACCEPTED' && status !== 'FANNED_OUT') return null
  return (
    <Repair
      label={t('repair.pause')}
      icon={Pause}
      needs="ADMIN"
      document={PauseDeliveryDocument}
      input={{ kind: 'BROADCAST', target: internalId }}
      says={({ pauseDelivery: p }) =>
        t('repair.pauses', { events: p.events, notifications: p.notifications, messages: p.messages })
      }
      done={done}
    />
  )
}

function Pace({ of: { internalId, status, progress }, done }: { of: Broadcast; done: () => void }) {
  const [perSecond, setPerSecond] = useState(progress?.perSecond)
  const may = useMay('EDITOR')
  const pace = useAction(PaceBroadcastDocument, done)
  const shown = progress?.perSecond == null ? t('broadcast.unpaced') : number(progress.perSecond)
  if (status !== 'ACCEPTED' || !may) return shown
  return (
    <Popover trigger={<Button look="quiet">{shown}</Button>} label={t('repair.perSecond')}>
      <Form
        submit={t('broadcast.pace')}
        action={pace}
        onSubmit={() => pace.run({ input: { event: internalId, perSecond } })}
      >
        <NumberField
          label={t('repair.perSecond')}
          hint={t('broadcast.paceHint')}
          at="perSecond"
          value={perSecond}
          onChange={setPerSecond}
        />
      </Form>
    </Popover>
  )
}
