import { t } from '../text/text'

type Credentials = Record<string, unknown>
type Field = { name: string; kind: string }

/**
 * The credentials of an integration as they are saved: every field of the provider, null when it is empty. Objects are
 * never shown, so an object that was not typed anew is left out, which keeps the stored one.
 */
export const toCredentialsInput = (fields: readonly Field[], values: Credentials): Credentials =>
  Object.fromEntries(
    fields
      .filter((f) => f.kind !== 'OBJECT' || values[f.name] !== undefined)
      .map((f) => [f.name, values[f.name] ?? null]),
  )

type Named = { [name in `credentials.${string}`]: unknown }

/** Credentials as fields of a form, by their paths within the input. */
export const namedCredentials = (credentials: Credentials): Named =>
  Object.fromEntries(Object.entries(credentials).map(([name, value]) => [`credentials.${name}`, value]))

/** The credentials among the fields of a form; undefined when there are none. */
export const credentialsOf = (fields: Partial<Named>): Credentials | undefined => {
  const own = Object.entries(fields).map(([path, value]) => [path.slice('credentials.'.length), value ?? null])
  return own.length > 0 ? Object.fromEntries(own) : undefined
}

/** What a stored secret is shown as. */
export const mask = '********'

/** The rate limit that was typed; null is unlimited. */
export const toRateLimit = (text: string) => (text === '' ? null : Number(text))

/** The rate at which an integration sends: the configured limit, else the one learned from its provider. */
export const rateText = ({ rateLimit, learnedRate }: { rateLimit: number | null; learnedRate: number | null }) => {
  const rate = rateLimit ?? learnedRate
  return rate ? `${rate}/s` : t('integrations.unlimited')
}
