import type { NumbersFragment } from '../gql'

type Bucket = Pick<NumbersFragment['buckets'][number], 'providers'>

/** The attempts of each provider over all buckets; the provider with most failures is first. */
export function attemptsByProvider(buckets: readonly Bucket[]) {
  const all = new Map<string, { accepted: number; rejected: number; unknown: number }>()
  for (const { providers } of buckets)
    for (const p of providers) {
      const sum = all.get(p.providerId) ?? { accepted: 0, rejected: 0, unknown: 0 }
      all.set(p.providerId, {
        accepted: sum.accepted + p.accepted,
        rejected: sum.rejected + p.rejected,
        unknown: sum.unknown + p.unknown,
      })
    }
  return [...all]
    .map(([id, sum]) => ({ id, ...sum, failures: sum.rejected + sum.unknown }))
    .sort((a, b) => b.failures - a.failures || a.id.localeCompare(b.id))
}

/** How many attempts of a provider failed in a bucket. */
export const failuresOf = ({ providers }: Bucket, id: string) =>
  providers.filter((p) => p.providerId === id).reduce((n, p) => n + p.rejected + p.unknown, 0)
