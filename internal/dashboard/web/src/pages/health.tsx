import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { sessionState, useQuery } from '../api'
import { HealthDocument } from '../gql'
import { number, t } from '../text/text'
import { lasted } from '../time'
import { Badge, Card, Facts, Load, Page, Table, Time, useNow } from '../ui'
import { words } from '../words'

type Count = { totalCount: number; totalCountCapped: boolean }

const shown = ({ totalCount, totalCountCapped }: Count) => `${number(totalCount)}${totalCountCapped ? '+' : ''}`

/** How far behind the work of this environment is, and whether what it sends through works. */
export function Health() {
  const query = useQuery(HealthDocument, {})
  const { reload } = query
  const now = useNow()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read anew each time the clock moves.
  useEffect(reload, [now])
  const version = useVersion()
  return (
    <Page title={t('nav.health')}>
      <Load of={query}>
        {(h) => {
          const oldest = h.pending.nodes[0]
          return (
            <>
              <div className="cols">
                <Card title={t('health.work')}>
                  <Facts
                    of={{
                      [t('health.pending')]: <Link href="/activity?status=PENDING">{shown(h.pending)}</Link>,
                      [t('health.oldest')]: oldest ? lasted(Math.max(now - Date.parse(oldest.createdAt), 0)) : '–',
                      [t('health.waiting')]: <Link href="/activity?status=WAITING">{shown(h.waiting)}</Link>,
                      [t('health.parked')]: <Attention of={h.parked} href="/activity?status=PARKED" />,
                      [t('health.openEvents')]: shown(h.openEvents),
                      [t('health.parkedEvents')]: <Attention of={h.parkedEvents} />,
                      [t('health.messages')]: (
                        <Link href="/activity?view=messages&status=PENDING">{shown(h.messages)}</Link>
                      ),
                      [t('health.digests')]: <Link href="/digests?status=OPEN">{shown(h.digests)}</Link>,
                      [t('health.replies')]: <Attention of={h.replies} href="/replies" />,
                    }}
                  />
                </Card>
                <Card title={t('health.server')}>
                  <Facts
                    of={{
                      [t('common.version')]: version || '–',
                      [t('health.clock')]: (
                        <span className="row">
                          <Time at={h.environmentClock.now} precise />
                          {h.environmentClock.frozen && <Badge tone="wait">{t('health.frozen')}</Badge>}
                        </span>
                      ),
                      [t('health.settled')]: h.environmentClock.settled ? (
                        <Badge tone="good">{t('ui.yes')}</Badge>
                      ) : (
                        <Badge tone="wait">{t('ui.no')}</Badge>
                      ),
                    }}
                  />
                </Card>
              </div>
              <Card title={t('nav.integrations')}>
                <Table
                  label={t('nav.integrations')}
                  rows={h.integrations.nodes}
                  id={(i) => i.id}
                  empty={t('health.noIntegrations')}
                  columns={[
                    {
                      name: t('word.INTEGRATION'),
                      cell: (i) => <Link href={`/integrations/${i.id}`}>{i.name}</Link>,
                    },
                    { name: t('common.channel'), cell: (i) => words(i.channel) },
                    {
                      name: t('common.status'),
                      cell: (i) =>
                        !i.active ? (
                          <Badge>{t('common.off')}</Badge>
                        ) : i.breaker === 'CLOSED' ? (
                          <Badge tone="good">{t('health.works')}</Badge>
                        ) : (
                          <span title={i.breakerCause ?? undefined}>
                            <Badge tone="bad">{t('overview.breakerOpen')}</Badge>
                          </span>
                        ),
                    },
                    {
                      name: t('health.lastHour'),
                      cell: (i) => (
                        <Link href={`/activity?view=requests&since=3600&integration=${encodeURIComponent(i.id)}`}>
                          {t('health.calls', { accepted: i.health?.accepted ?? 0, n: i.health?.attempts ?? 0 })}
                        </Link>
                      ),
                    },
                    {
                      name: t('health.rate'),
                      cell: (i) =>
                        (i.rateLimit ?? i.learnedRate)
                          ? t('health.perSecond', { n: i.rateLimit ?? i.learnedRate ?? 0 })
                          : '–',
                    },
                    {
                      name: t('health.probe'),
                      cell: (i) => <Time at={i.breaker === 'CLOSED' ? null : i.breakerProbeAt} />,
                    },
                  ]}
                />
              </Card>
            </>
          )
        }}
      </Load>
    </Page>
  )
}

/** A count of what should not be there. */
function Attention({ of, href }: { of: Count; href?: string }) {
  const badge = <Badge tone={of.totalCount > 0 ? 'bad' : 'good'}>{shown(of)}</Badge>
  return href ? <Link href={href}>{badge}</Link> : badge
}

function useVersion() {
  const [version, setVersion] = useState('')
  useEffect(() => {
    sessionState().then(
      (s) => setVersion(s.version ?? ''),
      () => {}, // the page works without it
    )
  }, [])
  return version
}
