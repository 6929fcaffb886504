import { Play, Plus } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { usePager } from '../address'
import { request, useAction, useActionOnce, useQuery } from '../api'
import { Button } from '../button'
import { pick, useEdited } from '../edited'
import { readJSON } from '../exact'
import { Check, Form, NumberField, Select, Switch, Text } from '../form'
import {
  CreateScheduleDocument,
  DeleteScheduleDocument,
  RunScheduleDocument,
  ScheduleDocument,
  SchedulePreviewDocument,
  type ScheduleQuery,
  SchedulesDocument,
  type TriggerSchedulePreviewInput,
  UpdateScheduleDocument,
} from '../gql'
import { IdentifierField } from '../identifier-field'
import { discard } from '../marks'
import { Confirm } from '../overlay'
import { Payload } from '../payload/fields'
import { daysOf, type Recurrence, recurrenceOf, ruleOf, weekdays } from '../recurrence'
import { May } from '../role'
import { useSettled } from '../settled'
import { t } from '../text/text'
import { onClock } from '../time'
import { Badge, Card, Failure, Load, Page, Pager, Status, Table, Time } from '../ui'
import { words } from '../words'
import { BroadcastList } from './broadcasts'
import { canBePaced, recipientsOf, toInput } from './recipient-list'
import { Recipients } from './recipients'

type Schedule = ScheduleQuery['triggerSchedule']

/** Triggers that happen at a time, or again and again: when they run next, and what became of the last run. */
export function Schedules() {
  const pager = usePager()
  const query = useQuery(SchedulesDocument, pager.variables)
  const update = useAction(UpdateScheduleDocument, query.reload)
  return (
    <Page
      title={t('nav.schedules')}
      actions={
        <May>
          <Link href="/schedules/new" className="button primary">
            <Plus aria-hidden className="icon" />
            {t('schedule.new')}
          </Link>
        </May>
      }
    >
      <Card>
        <Failure error={update.error} />
        <Load of={query}>
          {({ triggerSchedules }) => (
            <>
              <Table
                label={t('nav.schedules')}
                rows={triggerSchedules.nodes}
                id={(s) => s.id}
                empty={t('schedule.none')}
                columns={[
                  { name: t('common.name'), cell: (s) => <Link href={`/schedules/${s.internalId}`}>{s.name}</Link> },
                  { name: t('common.workflow'), cell: (s) => s.workflow?.name ?? '–' },
                  { name: t('schedule.next'), cell: (s) => <Time at={s.nextRunAt} precise /> },
                  { name: t('schedule.last'), cell: (s) => <LastRun of={s} /> },
                  {
                    name: t('schedule.enabled'),
                    cell: (s) => (
                      <Switch
                        label={`${t('schedule.enabled')}: ${s.name}`}
                        on={s.enabled}
                        busy={update.busy}
                        onChange={(enabled) => update.run({ input: { id: s.id, enabled } })}
                      />
                    ),
                  },
                ]}
              />
              <Pager label={t('nav.schedules')} pager={pager} info={triggerSchedules.pageInfo} />
            </>
          )}
        </Load>
      </Card>
    </Page>
  )
}

function LastRun({
  of: s,
}: {
  of: { lastRunAt?: string | null; lastStatus?: string | null; lastError?: string | null }
}) {
  if (!s.lastRunAt) return '–'
  return (
    <span className="row">
      <Time at={s.lastRunAt} />
      {s.lastStatus && (
        <Badge tone={s.lastStatus === 'PROCESSED' ? 'good' : 'bad'}>{s.lastError ?? words(s.lastStatus)}</Badge>
      )}
    </span>
  )
}

/** A new schedule. */
export function NewSchedule() {
  return <Edit />
}

/** One schedule: what it triggers, when, and what its runs came to. */
export function SchedulePage({ id }: { id: string }) {
  const query = useQuery(ScheduleDocument, { id })
  return (
    <Load of={query} title={t('word.SCHEDULE')}>
      {({ triggerSchedule }) => <Edit of={triggerSchedule} reload={query.reload} />}
    </Load>
  )
}

const valuesOf = (of?: Schedule) => ({
  name: of?.name ?? '',
  workflow: of?.workflow?.identifier ?? '',
  to: recipientsOf(of?.to),
  payload: (of?.payload ?? {}) as unknown,
  perSecond: of?.perSecond ?? undefined,
  startsAt: of?.startsAt ?? '',
  timeZone: of?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  recipientsZone: of?.recipientsZone ?? false,
  rrule: recurrenceOf(of?.rrule),
  exceptions: (of?.exceptions ?? []).join(' '),
})

type Values = Omit<ReturnType<typeof valuesOf>, 'workflow'>

const whenOf = (v: Values) => ({
  startsAt: v.startsAt,
  timeZone: v.timeZone,
  recipientsZone: v.recipientsZone,
  rrule: ruleOf(v.rrule),
  exceptions: daysOf(v.exceptions),
})

const inputOf = (v: Values) => ({
  name: v.name,
  payload: v.payload,
  to: toInput(v.to),
  perSecond: (canBePaced(v.to) && v.perSecond) || null,
  ...whenOf(v),
})

function Edit({ of, reload }: { of?: Schedule; reload?: () => void }) {
  const [, go] = useLocation()
  const form = useEdited({
    of,
    valuesOf,
    read: async () => of && (await request(ScheduleDocument, { id: of.id })).triggerSchedule,
    send: async (changes, mine) => {
      const names = Object.keys(changes)
      if ('to' in changes) names.push('perSecond') // not every recipient can be paced
      return of && request(UpdateScheduleDocument, { input: { id: of.id, ...pick(inputOf(mine), names) } })
    },
    onSaved: () => reload?.(),
  })
  const { workflow, ...said } = form.values
  const { name, to, payload, perSecond, startsAt, timeZone, recipientsZone, rrule, exceptions } = said
  const create = useActionOnce(CreateScheduleDocument, (r) => {
    discard()
    go(`/schedules/${r.createTriggerSchedule.triggerSchedule.internalId}`)
  })
  const remove = useAction(DeleteScheduleDocument, () => {
    discard()
    go('/schedules')
  })
  const run = useActionOnce(RunScheduleDocument, () => reload?.())
  const add = () => create.run({ input: { workflow, ...inputOf(said) } })
  return (
    <Page
      title={of?.name ?? t('schedule.new')}
      actions={
        of && (
          <May>
            <Button icon={Play} disabled={run.busy} onClick={() => run.run({ id: of.id })}>
              {t('schedule.run')}
            </Button>
            <Confirm
              label={t('common.delete')}
              question={t('schedule.deleteQuestion')}
              busy={remove.busy}
              onConfirm={() => remove.run({ id: of.id })}
            />
          </May>
        )
      }
    >
      <Failure error={remove.error ?? run.error} />
      <div className="cols">
        <Card title={t('word.SCHEDULE')}>
          <Form submit={t('common.save')} action={of ? form : create} onSubmit={of ? form.save : add}>
            <Text label={t('common.name')} at="name" value={name} onChange={(name) => form.set({ name })} required />
            <IdentifierField
              of="workflow"
              label={t('common.workflow')}
              at="workflow"
              value={workflow}
              onChange={(workflow) => form.set({ workflow })}
              readOnly={!!of}
              required
            />
            <Recipients of={to} onChange={(to) => form.set({ to })} />
            <Payload workflow={workflow} payload={payload} onChange={(payload) => form.set({ payload })} />
            {canBePaced(to) && (
              <NumberField
                label={t('repair.perSecond')}
                hint={t('broadcast.paceHint')}
                at="perSecond"
                value={perSecond}
                onChange={(perSecond) => form.set({ perSecond })}
              />
            )}
            <Text
              label={t('schedule.startsAt')}
              at="startsAt"
              type="datetime-local"
              value={startsAt}
              onChange={(startsAt) => form.set({ startsAt })}
              required
            />
            <Text
              label={t('schedule.zone')}
              at="timeZone"
              value={timeZone}
              onChange={(timeZone) => form.set({ timeZone })}
              required
            />
            <Check
              label={t('schedule.recipientsZone')}
              at="recipientsZone"
              value={recipientsZone}
              onChange={(recipientsZone) => form.set({ recipientsZone })}
            />
            <Repeat of={rrule} onChange={(rrule) => form.set({ rrule })} />
            <Text
              label={t('schedule.exceptions')}
              hint={t('schedule.exceptionsHint')}
              at="exceptions"
              value={exceptions}
              onChange={(exceptions) => form.set({ exceptions })}
            />
            <Status>{form.saved && t('common.saved')}</Status>
          </Form>
        </Card>
        {startsAt && <Preview of={whenOf(said)} />}
      </div>
      {of && of.events.length > 0 && (
        <Card title={t('schedule.events')}>
          <BroadcastList of={of.events} done={() => reload?.()} />
        </Card>
      )}
    </Page>
  )
}

function Repeat({ of, onChange }: { of: Recurrence; onChange: (r: Recurrence) => void }) {
  const set = (change: Partial<Recurrence>) => onChange({ ...of, ...change })
  return (
    <>
      <Select
        label={t('schedule.repeat')}
        at="rrule"
        value={of.kind}
        onChange={(kind) => set({ kind: kind as Recurrence['kind'] })}
        options={(['once', 'daily', 'weekly', 'monthly', 'rule'] as const).map((value) => ({
          value,
          label: t(`schedule.repeat.${value}`),
        }))}
      />
      {of.kind === 'rule' && (
        <Text
          label={t('schedule.rule')}
          hint={t('schedule.ruleHint')}
          value={of.rule}
          onChange={(rule) => set({ rule })}
          required
        />
      )}
      {of.kind === 'weekly' && (
        <div className="row">
          {weekdays.map((day) => (
            <Check
              key={day}
              label={t(`schedule.day.${day}`)}
              value={of.days.includes(day)}
              onChange={(on) => set({ days: on ? [...of.days, day] : of.days.filter((d) => d !== day) })}
            />
          ))}
        </div>
      )}
      {of.kind !== 'once' && of.kind !== 'rule' && (
        <>
          <NumberField
            label={t('schedule.interval')}
            hint={t('schedule.intervalHint')}
            value={of.interval}
            onChange={(interval) => set({ interval: interval ?? 1 })}
          />
          <Text label={t('schedule.until')} type="date" value={of.until} onChange={(until) => set({ until })} />
        </>
      )}
    </>
  )
}

/** The next runs of what the form says, shown in its time zone. */
function Preview({ of }: { of: TriggerSchedulePreviewInput }) {
  const input = readJSON(useSettled(JSON.stringify(of))) as TriggerSchedulePreviewInput
  const query = useQuery(SchedulePreviewDocument, { input })
  return (
    <Card title={t('schedule.nextRuns')}>
      <Load of={query}>
        {({ triggerSchedulePreview: { runs } }) =>
          runs.length === 0 ? (
            <p>{t('schedule.noRuns')}</p>
          ) : (
            <ol>
              {runs.map((at) => (
                <li key={at}>
                  {onClock(Date.parse(at), input.timeZone ?? 'UTC', document.documentElement.lang || undefined)}
                </li>
              ))}
            </ol>
          )
        }
      </Load>
    </Card>
  )
}
