import type { KeyScope } from '../gql'
import { t } from '../text/text'
import { words } from '../words'

export const allScopes: KeyScope[] = [
  'TRIGGER',
  'AUDIENCE',
  'AUDIENCE_READ',
  'CONTENT',
  'CONTENT_READ',
  'INTEGRATIONS',
  'INTEGRATIONS_READ',
  'ACTIVITY',
  'ACTIVITY_READ',
  'KEYS',
]

const full: KeyScope[] = ['TRIGGER', 'AUDIENCE', 'CONTENT', 'INTEGRATIONS', 'ACTIVITY', 'KEYS']

/** The scopes of what a form offers by name. */
export const presets: Record<string, KeyScope[]> = {
  server: ['TRIGGER', 'AUDIENCE', 'CONTENT_READ', 'ACTIVITY_READ'],
  full,
}

/** A scope as people read it: CONTENT_READ is Content (read only). */
export const scopeName = (s: string) =>
  s.endsWith('_READ') ? t('keys.readOnly', { scope: words(s.slice(0, -5)) }) : words(s)

/** The scopes of a key, or the name of them all. */
export const scopeNames = (scopes: readonly KeyScope[]) =>
  scopes.length === full.length && full.every((s) => scopes.includes(s))
    ? t('keys.full')
    : scopes.map(scopeName).join(', ')

/** Why a key is no longer valid; '' while it is. */
export function keyEnd({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string | null }, now: Date) {
  if (revokedAt) return t('keys.revoked')
  return expiresAt && new Date(expiresAt) < now ? t('keys.expired') : ''
}

/** When a key that is created now and valid for a number of days expires; undefined without a number. */
export const expiry = (days: string, now: Date) =>
  days ? new Date(now.getTime() + parseInt(days, 10) * 86_400_000).toISOString() : undefined
