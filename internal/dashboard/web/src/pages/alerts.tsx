import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import {
  type AlertCondition,
  AlertIncidentsDocument,
  type AlertIncidentsQuery,
  type AlertPartsFragment,
  AlertRulesDocument,
  type AlertState,
  DeleteAlertRuleDocument,
  SilenceAlertRuleDocument,
  TestAlertRuleDocument,
} from '../gql'
import { Confirm } from '../overlay'
import { May } from '../role'
import { number, t } from '../text/text'
import { Badge, Card, Failure, Load, Note, Page, Pager, Table, Time, type Tone } from '../ui'
import { words } from '../words'
import { AlertForm } from './alert-form'

/** A value in the unit of its condition. */
function amount(condition: AlertCondition, value?: number | null) {
  if (value == null) return '–'
  const n = number(value, { maximumFractionDigits: 1 })
  return t(`alert.amount.${condition}`, { n })
}

/** The rules that watch the environment, and what they have found. */
export function Alerts() {
  const pager = usePager()
  const query = useQuery(AlertRulesDocument, pager.variables)
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<AlertPartsFragment>()
  const [tested, setTested] = useState(false)
  const silence = useAction(SilenceAlertRuleDocument, query.reload)
  const remove = useAction(DeleteAlertRuleDocument, query.reload)
  const test = useAction(TestAlertRuleDocument, () => setTested(true))
  const close = () => {
    setCreating(false)
    setEdited(undefined)
  }
  const silent = (r: AlertPartsFragment) => !!r.silencedUntil && new Date(r.silencedUntil) > new Date()
  const hour = () => new Date(Date.now() + 3600_000).toISOString()
  return (
    <Page
      title={t('nav.alerts')}
      actions={
        <May needs="ADMIN">
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('alert.new')}
          </Button>
        </May>
      }
    >
      <Card title={t('alert.rules')} actions={<Button onClick={query.reload}>{t('common.refresh')}</Button>}>
        <Failure error={silence.error ?? remove.error ?? test.error} />
        {tested && (
          <Note tone="good" role="status">
            {t('alert.tested')}
          </Note>
        )}
        <Load of={query}>
          {({ alertRules }) => (
            <>
              <Table
                label={t('alert.rules')}
                rows={alertRules.nodes}
                id={(r) => r.id}
                empty={t('alert.none')}
                columns={[
                  { name: t('common.name'), cell: (r) => r.name },
                  { name: t('alert.condition'), cell: (r) => <Watched of={r} /> },
                  { name: t('common.state'), cell: (r) => <State of={r} silent={silent(r)} /> },
                  { name: t('alert.value'), cell: (r) => amount(r.condition, r.value) },
                  { name: t('alert.threshold'), cell: (r) => amount(r.condition, r.threshold) },
                  {
                    name: '',
                    cell: (r) => (
                      <span className="row">
                        <May>
                          <Button
                            onClick={() => silence.run({ input: { id: r.id, until: silent(r) ? null : hour() } })}
                            disabled={silence.busy}
                          >
                            {silent(r) ? t('alert.unsilence') : t('alert.silence')}
                          </Button>
                        </May>
                        <May needs="ADMIN">
                          {r.notifyWorkflow && (
                            <Button onClick={() => test.run({ id: r.id })}>{t('alert.test')}</Button>
                          )}
                          <Button icon={Pencil} onClick={() => setEdited(r)}>
                            {t('common.change')}
                          </Button>
                          <Confirm
                            label={t('common.delete')}
                            needs="ADMIN"
                            question={t('alert.deleteQuestion', { name: r.name })}
                            onConfirm={() => remove.run({ id: r.id })}
                          />
                        </May>
                      </span>
                    ),
                  },
                ]}
              />
              <Pager label={t('alert.rules')} pager={pager} info={alertRules.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      <Incidents />
      {(creating || edited) && (
        <AlertForm
          of={edited}
          onClose={close}
          onDone={() => {
            close()
            query.reload()
          }}
        />
      )}
    </Page>
  )
}

function Watched({ of: r }: { of: AlertPartsFragment }) {
  const of = r.workflow ?? r.integration ?? (r.channel && words(r.channel))
  return (
    <span>
      {t(`alert.of.${r.condition}`)} {of && <code>{of}</code>} {r.pause && <Badge>{t('alert.pauses')}</Badge>}
    </span>
  )
}

const tones: Record<AlertState, Tone> = { OK: 'good', PENDING: 'wait', FIRING: 'bad' }

function State({ of: r, silent }: { of: AlertPartsFragment; silent: boolean }) {
  if (!r.enabled) return <Badge>{t('alert.disabled')}</Badge>
  return (
    <span>
      <Badge tone={tones[r.state]}>{t(`alert.is.${r.state}`)}</Badge>{' '}
      {silent && (
        <>
          {t('alert.silenced')} <Time at={r.silencedUntil} />{' '}
        </>
      )}
      {r.problem}
    </span>
  )
}

/** What the rules have found, newest first. */
function Incidents() {
  const pager = usePager('i-')
  const query = useQuery(AlertIncidentsDocument, pager.variables)
  return (
    <Card title={t('alert.incidents')} actions={<Button onClick={query.reload}>{t('common.refresh')}</Button>}>
      <Load of={query}>
        {({ alertIncidents }) => (
          <>
            <Table
              label={t('alert.incidents')}
              rows={alertIncidents.nodes}
              id={(i) => i.id}
              empty={t('alert.noIncidents')}
              columns={[
                { name: t('alert.rule'), cell: (i) => i.rule?.name },
                { name: t('alert.opened'), cell: (i) => <Time at={i.openedAt} /> },
                {
                  name: t('alert.closed'),
                  cell: (i) => (i.closedAt ? <Time at={i.closedAt} /> : <Badge tone="bad">{t('alert.open')}</Badge>),
                },
                { name: t('alert.peak'), cell: (i) => i.rule && amount(i.rule.condition, i.peak) },
                { name: t('alert.notices'), cell: (i) => i.notices },
                { name: t('alert.effect'), cell: (i) => <Effect of={i} /> },
              ]}
            />
            <Pager label={t('alert.incidents')} pager={pager} info={alertIncidents.pageInfo} />
          </>
        )}
      </Load>
    </Card>
  )
}

/** Whom the incident is about, and whether it has paused what its rule watches. */
function Effect({ of: i }: { of: AlertIncidentsQuery['alertIncidents']['nodes'][number] }) {
  return (
    <span className="row">
      {i.subscriber && (
        <Link href={`/subscribers/${encodeURIComponent(i.subscriber.subscriberId)}`}>{i.subscriber.subscriberId}</Link>
      )}
      {i.pause && (
        <Link href="/repairs">
          <Badge tone={i.pause.resumedAt ? undefined : 'wait'}>
            {t(i.pause.resumedAt ? 'alert.resumed' : 'alert.paused')}
          </Badge>
        </Link>
      )}
    </span>
  )
}
