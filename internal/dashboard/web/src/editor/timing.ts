import type {
  DelayControlsInput,
  DelayType,
  DigestControlsInput,
  DigestMonthly,
  DigestTimedInput,
  DigestType,
  TimeUnit,
} from '../gql'

/** The changes that make a digest one of another type, with values that are valid for it. */
export function digestOfType(type: DigestType): Partial<DigestControlsInput> {
  if (type === 'TIMED')
    return {
      type,
      amount: 1,
      unit: 'DAYS',
      backoff: false,
      backoffAmount: undefined,
      backoffUnit: undefined,
      timed: { atTime: '09:00' },
    }
  return { type, timed: undefined, ...(type === 'BACKOFF' && { backoffAmount: 1, backoffUnit: 'HOURS' }) }
}

/** The changes that switch the look-back window of a digest on or off. */
export const withBackoff = (backoff: boolean): Partial<DigestControlsInput> => ({
  backoff,
  backoffAmount: backoff ? 1 : undefined,
  backoffUnit: backoff ? 'HOURS' : undefined,
})

/** Reports whether a digest has a look-back window. */
export const looksBack = (of: DigestControlsInput) => of.type === 'BACKOFF' || of.backoff === true

/** The schedule of a timed digest that repeats in a unit: a time of day, with days of the week or of the month. */
export function timedEvery(unit: TimeUnit | undefined, atTime: string): DigestTimedInput {
  switch (unit) {
    case 'WEEKS':
      return { atTime, weekDays: ['MONDAY'] }
    case 'MONTHS':
      return timedMonthly('EACH', atTime)
    default:
      return { atTime }
  }
}

/** The schedule of a monthly digest: on dates, or on a weekday. */
export const timedMonthly = (by: DigestMonthly, atTime: string): DigestTimedInput =>
  by === 'ON'
    ? { atTime, monthlyType: 'ON', ordinal: 'FIRST', ordinalValue: 'MONDAY' }
    : { atTime, monthlyType: 'EACH', monthDays: ['1'] }

/** A delay of another type, with values that are valid for it. */
export const delayOfType = (type: DelayType, { extendToSchedule }: DelayControlsInput): DelayControlsInput =>
  type === 'REGULAR' ? { type, amount: 1, unit: 'HOURS', extendToSchedule } : { type, delayPath: '', extendToSchedule }
