import type { DayScheduleInput } from '../gql'

const newRange = { start: '09:00 AM', end: '05:00 PM' }

/** A time of the API as time inputs have it: "05:30 PM" is "17:30". Other texts are ''. */
export function toTimeInput(text: string): string {
  const [, hour = '', minute = '', half = ''] = /^(\d\d):(\d\d) (AM|PM)$/i.exec(text) ?? []
  return hour && `${String((+hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)).padStart(2, '0')}:${minute}`
}

/** The reverse of toTimeInput: '' stays '', which inputs have as long as a part of the time is erased. */
export function fromTimeInput(text: string): string {
  if (text === '') return ''
  const [hour = '0', minute = '00'] = text.split(':')
  return `${String(((+hour + 11) % 12) + 1).padStart(2, '0')}:${minute} ${+hour < 12 ? 'AM' : 'PM'}`
}

const withHours = (hours: DayScheduleInput['hours']): DayScheduleInput => ({
  isEnabled: true,
  hours: hours?.length ? hours : undefined,
})

/** A day with another range of hours. */
export const addHours = (day: DayScheduleInput) => withHours([...(day.hours ?? []), newRange])

/** A day with one of its ranges changed. */
export const setHours = (day: DayScheduleInput, at: number, change: Partial<typeof newRange>) =>
  withHours((day.hours ?? []).map((h, i) => (i === at ? { ...h, ...change } : h)))

/** A day without one of its ranges; without any range it is open all day. */
export const removeHours = (day: DayScheduleInput, at: number) =>
  withHours((day.hours ?? []).filter((_, i) => i !== at))
