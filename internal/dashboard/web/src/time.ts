const hour = 3600
const day = 24 * hour

const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['hour', hour],
  ['minute', 60],
]

/** The days of the calendar from one instant to another, in the zone of the browser: yesterday is the day before, however many hours ago. */
function days(from: number, to: number): number {
  const number = (at: number) => {
    const shown = new Date(at)
    return Date.UTC(shown.getFullYear(), shown.getMonth(), shown.getDate()) / 1000 / day
  }
  return number(to) - number(from)
}

/** How long ago an instant is, or in how long it will be; after a week it is the date. */
export function relative(at: number, now: number, locale?: string): string {
  const seconds = (at - now) / 1000
  if (Math.abs(seconds) >= 7 * day)
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  if (Math.abs(seconds) >= day) return words.format(days(now, at), 'day')
  const found = units.find(([, size]) => Math.abs(seconds) >= size)
  return found ? words.format(Math.trunc(seconds / found[1]), found[0]) : words.format(0, 'second')
}

/** An instant to the second, in the zone of the browser, which is named. */
export const exact = (at: number, locale?: string): string =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(at)

/** An instant to the minute on the clock of a zone, which is named; of UTC where the browser does not know the zone, such as a half-typed one. */
export function onClock(at: number, timeZone: string, locale?: string): string {
  const write = (zone: string) =>
    new Intl.DateTimeFormat(locale, {
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
      timeZone: zone,
    }).format(at)
  try {
    return write(timeZone)
  } catch {
    return write('UTC')
  }
}

const spans: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
]

/** A length of time by its two largest units: 2 d 3 h, 1 min 20 s, 40 ms. */
export function lasted(ms: number): string {
  if (ms < 1000) return `${Math.round(Math.max(ms, 0))} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  const first = spans.findIndex(([, size]) => ms >= size)
  const [name, size] = spans[first]!
  const whole = Math.floor(ms / size)
  const next = spans[first + 1]
  const rest = next ? Math.floor((ms - whole * size) / next[1]) : 0
  return rest && next ? `${whole} ${name} ${rest} ${next[0]}` : `${whole} ${name}`
}
