import { Plus, Trash2 } from 'lucide-react'
import { request } from '../api'
import { Button } from '../button'
import { useEdited } from '../edited'
import { Check, Form, Text } from '../form'
import { type DayScheduleInput, SetScheduleDocument, SubscriberDocument } from '../gql'
import type { Subscriber } from '../records'
import { t } from '../text/text'
import { Card, Status } from '../ui'
import { words } from '../words'
import { addHours, fromTimeInput, removeHours, setHours, toTimeInput } from './times'

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const closed: DayScheduleInput = { isEnabled: false }

const valuesOf = ({ schedule }: Subscriber) => {
  const week = schedule?.weeklySchedule
  const day = (name: (typeof days)[number]): DayScheduleInput => (week ? (week[name] ?? closed) : { isEnabled: true })
  return {
    isEnabled: schedule?.isEnabled ?? false,
    ...(Object.fromEntries(days.map((name) => [name, day(name)])) as Record<(typeof days)[number], DayScheduleInput>),
  }
}

/** When a subscriber wants to be reached, day by day. */
export function Hours({ s, reload }: { s: Subscriber; reload: () => void }) {
  const form = useEdited({
    of: s,
    valuesOf,
    read: () => request(SubscriberDocument, { subscriberId: s.subscriberId }).then((r) => r.subscriberBySubscriberId),
    send: (changes, _, theirs) => {
      const { isEnabled, ...weeklySchedule } = { ...theirs, ...changes }
      return request(SetScheduleDocument, {
        input: { subscriberId: s.subscriberId, schedule: { isEnabled, weeklySchedule } },
      })
    },
    onSaved: reload,
  })
  return (
    <Card title={t('hours.schedule')}>
      <Form submit={t('hours.saveSchedule')} action={form} onSubmit={form.save}>
        <Check
          label={t('hours.deliverOnlyWithinThisSchedule')}
          value={form.values.isEnabled}
          onChange={(isEnabled) => form.set({ isEnabled })}
        />
        {form.values.isEnabled &&
          days.map((d) => (
            <Day
              key={d}
              at={`schedule.weeklySchedule.${d}.hours`}
              name={words(d)}
              day={form.values[d]}
              onChange={(day) => form.set({ [d]: day })}
            />
          ))}
        <Status>{form.saved && t('common.saved')}</Status>
      </Form>
    </Card>
  )
}

function Day({
  name,
  at,
  day,
  onChange,
}: {
  name: string
  at: string
  day: DayScheduleInput
  onChange: (d: DayScheduleInput) => void
}) {
  const hours = day.hours ?? []
  return (
    <fieldset>
      <legend>{name}</legend>
      <div className="row">
        <Check
          label={t('hours.nameOpen', { name })}
          value={day.isEnabled}
          onChange={(isEnabled) => onChange({ ...day, isEnabled })}
        />
        {day.isEnabled && hours.length === 0 && <span className="soft">{t('hours.allDay')}</span>}
        {day.isEnabled && (
          <Button icon={Plus} aria-label={t('hours.addHoursOnName', { name })} onClick={() => onChange(addHours(day))}>
            {t('hours.addHours')}
          </Button>
        )}
      </div>
      {day.isEnabled &&
        hours.map((h, i) => (
          <div className="filters" key={i}>
            <Text
              label={t('hours.nameNFrom', { name, n: i + 1 })}
              at={`${at}.${i}.start`}
              type="time"
              value={toTimeInput(h.start)}
              onChange={(v) => onChange(setHours(day, i, { start: fromTimeInput(v) }))}
              required
            />
            <Text
              label={t('hours.nameNTo', { name, n: i + 1 })}
              at={`${at}.${i}.end`}
              type="time"
              value={toTimeInput(h.end)}
              onChange={(v) => onChange(setHours(day, i, { end: fromTimeInput(v) }))}
              required
            />
            <Button
              icon={Trash2}
              aria-label={t('hours.removeHoursNOfName', { n: i + 1, name })}
              onClick={() => onChange(removeHours(day, i))}
            >
              {t('common.remove')}
            </Button>
          </div>
        ))}
    </fieldset>
  )
}
