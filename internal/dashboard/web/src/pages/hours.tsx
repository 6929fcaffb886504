import { useState } from 'react'
import { useAction } from '../api'
import { SetScheduleDocument, type DayScheduleInput, type WeeklyScheduleInput } from '../gql'
import { Card, Check, Form, Text, words } from '../ui'
import type { Subscriber } from './subscriber'
import { useUnsaved } from '../unsaved'

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const newRange = { start: '09:00 AM', end: '05:00 PM' }
const closed: DayScheduleInput = { isEnabled: false }

/** "05:30 PM" as fields of the page have it, "17:30", and back. */
function toField(text: string): string {
  const [, hour = '', minute = '', half = ''] = /^(\d\d):(\d\d) (AM|PM)$/i.exec(text) ?? []
  return hour && `${String((+hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)).padStart(2, '0')}:${minute}`
}

function fromField(text: string): string {
  const [hour = '0', minute = '00'] = text.split(':')
  return `${String(((+hour + 11) % 12) + 1).padStart(2, '0')}:${minute} ${+hour < 12 ? 'AM' : 'PM'}`
}

/** When a subscriber wants to be reached, day by day. */
export function Hours({ s, reload }: { s: Subscriber; reload: () => void }) {
  const [on, setOn] = useState(s.schedule?.isEnabled ?? false)
  const [week, setWeek] = useState<WeeklyScheduleInput>(
    () => s.schedule?.weeklySchedule ?? Object.fromEntries(days.map((d) => [d, { isEnabled: true }])),
  )
  const [saved, setSaved] = useState(false)
  const stored = useUnsaved({ on, week })
  const save = useAction(SetScheduleDocument, () => {
    setSaved(true)
    stored()
    reload()
  })
  const submit = () => {
    setSaved(false)
    void save.run({ input: { subscriberId: s.subscriberId, schedule: { isEnabled: on, weeklySchedule: week } } })
  }
  return (
    <Card title="Hours">
      <Form submit="Save hours" action={save} onSubmit={submit}>
        <Check label="Only within these hours" value={on} onChange={setOn} />
        {on &&
          days.map((d) => (
            <Day
              key={d}
              at={`schedule.weeklySchedule.${d}.hours`}
              name={words(d)}
              day={week[d] ?? closed}
              onChange={(day) => setWeek({ ...week, [d]: day })}
            />
          ))}
        <div role="status">{saved && <div className="note good">Saved.</div>}</div>
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
  const put = (hours: typeof day.hours) => onChange({ isEnabled: true, hours: hours?.length ? hours : undefined })
  const set = (at: number, change: Partial<typeof newRange>) =>
    put(hours.map((h, i) => (i === at ? { ...h, ...change } : h)))
  return (
    <fieldset>
      <legend>{name}</legend>
      <div className="row">
        <Check
          label={`${name}: open`}
          value={day.isEnabled}
          onChange={(isEnabled) => onChange({ ...day, isEnabled })}
        />
        {day.isEnabled && hours.length === 0 && <span className="soft">all day</span>}
        {day.isEnabled && (
          <button type="button" aria-label={`Add hours on ${name}`} onClick={() => put([...hours, newRange])}>
            Add hours
          </button>
        )}
      </div>
      {day.isEnabled &&
        hours.map((h, i) => (
          <div className="filters" key={i}>
            <Text
              label={`${name} ${i + 1}: from`}
              at={`${at}.${i}.start`}
              type="time"
              value={toField(h.start)}
              onChange={(v) => set(i, { start: fromField(v) })}
              required
            />
            <Text
              label={`${name} ${i + 1}: to`}
              at={`${at}.${i}.end`}
              type="time"
              value={toField(h.end)}
              onChange={(v) => set(i, { end: fromField(v) })}
              required
            />
            <button
              type="button"
              aria-label={`Remove hours ${i + 1} of ${name}`}
              onClick={() => put(hours.filter((_, k) => k !== i))}
            >
              Remove
            </button>
          </div>
        ))}
    </fieldset>
  )
}
