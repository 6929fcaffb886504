import { Check, NumberField, Select, Text } from '../form'
import type {
  DelayControlsInput,
  DelayPast,
  DelayType,
  DigestControlsInput,
  DigestMonthly,
  DigestOrdinal,
  DigestOrdinalDay,
  DigestTimedInput,
  DigestType,
  ThrottleControlsInput,
  ThrottleInvalid,
  TimeUnit,
  Weekday,
} from '../gql'
import { chooseInOrder } from '../lists'
import { t } from '../text/text'
import { words } from '../words'
import { delayOfType, digestOfType, looksBack, timedEvery, timedMonthly, withBackoff } from './timing'

const units: TimeUnit[] = ['SECONDS', 'MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS']

function Amount({
  label,
  at,
  amount,
  unit,
  onChange,
  options = units,
}: {
  label: string
  at: [amount: string, unit: string]
  amount?: number | null
  unit?: TimeUnit | null
  onChange: (change: { amount?: number; unit?: TimeUnit }) => void
  options?: TimeUnit[]
}) {
  return (
    <div className="filters">
      <NumberField label={label} at={at[0]} value={amount} onChange={(amount) => onChange({ amount })} />
      <Select
        label={t('waits.unitOf', { label })}
        at={at[1]}
        value={unit ?? options[0]!}
        onChange={(unit) => onChange({ unit: unit as TimeUnit })}
        options={options}
      />
    </div>
  )
}

/** How long a digest collects. */
export function Digest({ of, onChange }: { of: DigestControlsInput; onChange: (c: DigestControlsInput) => void }) {
  const set = (change: Partial<DigestControlsInput>) => onChange({ ...of, ...change })
  const setType = (type: DigestType) => set(digestOfType(type))
  return (
    <>
      <Select
        label={t('waits.kind')}
        value={of.type}
        onChange={(v) => setType(v as DigestType)}
        options={kinds.map((value) => ({ value, label: t(`waits.kind.${value}`) }))}
      />
      {of.type === 'TIMED' ? (
        <Timed of={of} onChange={set} />
      ) : (
        <Amount
          label={t('waits.collectFor')}
          at={['digest.amount', 'digest.unit']}
          amount={of.amount}
          unit={of.unit}
          onChange={set}
        />
      )}
      {of.type === 'REGULAR' && (
        <Check
          label={t('waits.sendTheFirstEventAt')}
          value={of.backoff ?? false}
          onChange={(backoff) => set(withBackoff(backoff))}
        />
      )}
      {looksBack(of) && (
        <Amount
          label={t('waits.lookBackWindow')}
          at={['digest.backoffAmount', 'digest.backoffUnit']}
          amount={of.backoffAmount}
          unit={of.backoffUnit}
          onChange={({ amount, unit }) =>
            set({ ...(amount !== undefined && { backoffAmount: amount }), ...(unit && { backoffUnit: unit }) })
          }
        />
      )}
      <Text
        label={t('common.key')}
        at="digest.digestKey"
        value={of.digestKey ?? ''}
        onChange={(digestKey) => set({ digestKey })}
        hint={t('waits.eventsWithDifferentValuesAt')}
      />
      <Check
        label={t('waits.updateTheInAppMessage')}
        value={of.updateMode ?? false}
        onChange={(updateMode) => set({ updateMode })}
      />
      <Check
        label={t('waits.extendToTheSubscriberS')}
        value={of.extendToSchedule ?? false}
        onChange={(extendToSchedule) => set({ extendToSchedule })}
      />
    </>
  )
}

const kinds: DigestType[] = ['REGULAR', 'BACKOFF', 'TIMED']
const days: Weekday[] = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']
const ordinals: DigestOrdinal[] = ['FIRST', 'SECOND', 'THIRD', 'FOURTH', 'FIFTH', 'LAST']
const ordinalDays: DigestOrdinalDay[] = ['DAY', 'WEEKDAY', 'WEEKEND', ...days]

/** The moment at which a timed digest closes: a time of day, every few days, on weekdays, or on days of the month. */
function Timed({
  of,
  onChange,
}: {
  of: DigestControlsInput
  onChange: (change: Partial<DigestControlsInput>) => void
}) {
  const timed = of.timed ?? { atTime: '' }
  const set = (change: Partial<DigestTimedInput>) => onChange({ timed: { ...timed, ...change } })
  const { atTime } = timed
  const chosen = timed.weekDays ?? []
  return (
    <fieldset>
      <legend>{t('waits.closes')}</legend>
      <Text
        label={t('waits.at')}
        at="digest.timed.atTime"
        type="time"
        value={atTime}
        onChange={(atTime) => set({ atTime })}
        required
        hint={t('waits.inTheSubscriberSTime')}
      />
      <Amount
        label={t('waits.every')}
        at={['digest.amount', 'digest.unit']}
        amount={of.amount}
        unit={of.unit}
        onChange={({ amount, unit }) => onChange(unit ? { unit, timed: timedEvery(unit, atTime) } : { amount })}
        options={['DAYS', 'WEEKS', 'MONTHS']}
      />
      {of.unit === 'WEEKS' && (
        <div className="row" role="group" aria-label={t('waits.daysOfTheWeek')}>
          {days.map((d) => (
            <Check
              key={d}
              label={words(d)}
              value={chosen.includes(d)}
              onChange={(on) => set({ weekDays: chooseInOrder(days, chosen, d, on) })}
            />
          ))}
        </div>
      )}
      {of.unit === 'MONTHS' && (
        <>
          <Select
            label={t('waits.daysOfTheMonth')}
            value={timed.monthlyType ?? 'EACH'}
            onChange={(v) => onChange({ timed: timedMonthly(v as DigestMonthly, atTime) })}
            options={[
              { value: 'EACH', label: t('waits.byDate') },
              { value: 'ON', label: t('waits.byWeekday') },
            ]}
          />
          {timed.monthlyType === 'ON' ? (
            <div className="filters">
              <Select
                label={t('waits.which')}
                value={timed.ordinal ?? 'FIRST'}
                onChange={(v) => set({ ordinal: v as DigestOrdinal })}
                options={ordinals}
              />
              <Select
                label={t('word.DAY')}
                value={timed.ordinalValue ?? 'MONDAY'}
                onChange={(v) => set({ ordinalValue: v as DigestOrdinalDay })}
                options={ordinalDays}
              />
            </div>
          ) : (
            <Dates dates={timed.monthDays ?? []} onChange={(monthDays) => set({ monthDays })} />
          )}
        </>
      )}
    </fieldset>
  )
}

function Dates({ dates, onChange }: { dates: readonly string[]; onChange: (d: string[]) => void }) {
  const all = Array.from({ length: 31 }, (_, i) => String(i + 1))
  return (
    <div className="dates" role="group" aria-label={t('waits.dates')}>
      {all.map((d) => (
        <Check
          key={d}
          label={d}
          value={dates.includes(d)}
          onChange={(on) => onChange(chooseInOrder(all, dates, d, on))}
        />
      ))}
    </div>
  )
}

/** How long a delay waits. */
export function Delay({ of, onChange }: { of: DelayControlsInput; onChange: (c: DelayControlsInput) => void }) {
  const set = (change: Partial<DelayControlsInput>) => onChange({ ...of, ...change })
  return (
    <>
      <Select
        label={t('waits.kind')}
        value={of.type}
        onChange={(v) => onChange(delayOfType(v as DelayType, of))}
        options={[
          { value: 'REGULAR', label: t('waits.forAPeriod') },
          { value: 'SCHEDULED', label: t('waits.untilATimeInThe') },
        ]}
      />
      {of.type === 'REGULAR' ? (
        <Amount
          label={t('waits.waitFor')}
          at={['delay.amount', 'delay.unit']}
          amount={of.amount}
          unit={of.unit}
          onChange={set}
        />
      ) : (
        <div className="filters">
          <Text
            label={t('waits.payloadPathOfTheTime')}
            at="delay.delayPath"
            value={of.delayPath ?? ''}
            onChange={(delayPath) => set({ delayPath })}
          />
          <Select
            label={t('waits.ifTheTimeHasPassed')}
            value={of.past ?? 'CONTINUE'}
            onChange={(v) => set({ past: v as DelayPast })}
            options={[
              { value: 'CONTINUE', label: t('waits.continueAtOnce') },
              { value: 'FAIL', label: t('waits.failTheStep') },
              { value: 'SKIP', label: t('waits.skipAllLaterSteps') },
            ]}
          />
        </div>
      )}
      <Check
        label={t('waits.extendToTheSubscriberS')}
        value={of.extendToSchedule ?? false}
        onChange={(extendToSchedule) => set({ extendToSchedule })}
      />
    </>
  )
}

/** How many runs a throttle lets pass. */
export function Throttle({
  of,
  onChange,
}: {
  of: ThrottleControlsInput
  onChange: (c: ThrottleControlsInput) => void
}) {
  const set = (change: Partial<ThrottleControlsInput>) => onChange({ ...of, ...change })
  return (
    <>
      <NumberField
        label={t('waits.limitRuns')}
        at="throttle.threshold"
        value={of.threshold}
        onChange={(threshold) => set({ threshold })}
      />
      <Amount
        label={t('waits.within')}
        at={['throttle.amount', 'throttle.unit']}
        amount={of.amount}
        unit={of.unit}
        onChange={set}
        options={['MINUTES', 'HOURS', 'DAYS']}
      />
      <Text
        label={t('common.key')}
        at="throttle.throttleKey"
        value={of.throttleKey ?? ''}
        onChange={(throttleKey) => set({ throttleKey })}
        hint={t('waits.runsWithDifferentValuesAt')}
      />
      <div className="filters">
        <Text
          label={t('waits.payloadPathOfTheWindow')}
          at="throttle.windowPath"
          value={of.windowPath ?? ''}
          onChange={(windowPath) => set({ windowPath })}
          hint={t('waits.aTimeOrADuration')}
        />
        <Select
          label={t('waits.ifItIsInvalid')}
          value={of.invalid ?? 'PASS'}
          onChange={(v) => set({ invalid: v as ThrottleInvalid })}
          options={[
            { value: 'PASS', label: t('waits.letTheRunContinue') },
            { value: 'SKIP', label: t('waits.skipAllLaterSteps') },
          ]}
        />
      </div>
    </>
  )
}
