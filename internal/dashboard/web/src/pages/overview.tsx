import { ArrowDownRight, ArrowRight, ArrowUpRight, RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters } from '../address'
import { useQuery } from '../api'
import { Button } from '../button'
import { Select } from '../form'
import { EngagementDocument, StateDocument, StatisticsDocument, type StatisticsQuery } from '../gql'
import { part } from '../part'
import { type Key, number, t } from '../text/text'
import { lasted } from '../time'
import { Badge, Card, Empty, Load, Note, Page, Table, useNow } from '../ui'
import { words } from '../words'
import { periods } from './activity-query'
import {
  byChannel,
  change,
  isUnhealthy,
  latency,
  often,
  period,
  refreshOf,
  share,
  spanQuery,
  totals,
} from './overview-figures'
import { attemptsByProvider, failuresOf } from './provider-statistics'

const Plot = part(() => import('./plot').then((m) => m.default))

/** The present, told anew after so many milliseconds while the page is seen, and when it is asked for. */
function useClock(every: number) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return [now, () => setNow(Date.now())] as const
}

/** How much was delivered, how fast, what failed, and what needs attention: by itself up to date. */
export function Overview() {
  const { get, set } = useFilters()
  const seconds = periods.find((p) => p === get('period')) ?? '3600'
  const [now, readState] = useClock(often)
  const [until, readNumbers] = useClock(refreshOf(Number(seconds)))
  const range = period(Number(seconds), until)
  const query = useQuery(StatisticsDocument, { ...range, buckets: 60 })
  return (
    <Page
      title={t('nav.overview')}
      actions={
        <>
          <Select
            label={t('filter.since')}
            value={seconds}
            onChange={(period) => {
              set('period')(period)
              readNumbers()
            }}
            options={periods.map((p) => ({ value: p, label: t(`period.${p}` as Key) }))}
          />
          <Button
            icon={RefreshCw}
            onClick={() => {
              readState()
              readNumbers()
            }}
          >
            {t('common.refresh')}
          </Button>
        </>
      }
    >
      <State at={new Date(now).toISOString()} />
      <Load of={query}>{({ present, past }) => <Numbers of={present} past={past} seconds={seconds} />}</Load>
      <Engagement from={range.from} to={range.to} since={seconds} />
    </Page>
  )
}

const percent = (n: number | null) => (n === null ? '–' : number(n, { style: 'percent', maximumFractionDigits: 1 }))

/** One figure, how it differs from the period before, and the list behind it. */
function Figure({
  name,
  value,
  differs,
  good,
  href,
}: {
  name: string
  value: string
  differs?: number | null
  good?: 'more' | 'less'
  href?: string
}) {
  const Icon = !differs ? ArrowRight : differs > 0 ? ArrowUpRight : ArrowDownRight
  const better = differs && good ? differs > 0 === (good === 'more') : undefined
  const content = (
    <>
      <span className="soft">{name}</span>
      <strong>{value}</strong>
      {differs !== undefined && (
        <span className={`small delta ${better === undefined ? 'soft' : better ? 'better' : 'worse'}`}>
          {differs === null ? (
            t('overview.noBefore')
          ) : (
            <>
              <Icon aria-hidden className="icon" />
              {t('overview.differs', { percent: percent(differs) })}
            </>
          )}
        </span>
      )}
    </>
  )
  return href ? (
    <Link className="card figure" href={href}>
      {content}
    </Link>
  ) : (
    <div className="card figure">{content}</div>
  )
}

const colors = ['--brand', '--good', '--bad', '--wait', '--soft']
const dashes = [undefined, [6, 3], [2, 3], [8, 3, 2, 3], [1, 4]]

type Statistics = StatisticsQuery['present']

function Numbers({ of: s, past, seconds }: { of: Statistics; past: Statistics; seconds: string }) {
  const [, go] = useLocation()
  const sum = totals(s.buckets)
  const before = totals(past.buckets)
  const providers = attemptsByProvider(s.buckets)
  const channels = byChannel(s.buckets)
  const failed = share(sum.failed, sum.messages)
  const p95 = latency(s.buckets, 'p95')
  const starts = s.buckets.map((b) => b.start)
  const list = (filters: string) => `/activity?view=messages&since=${seconds}${filters}`
  const open = (view: string) => (start: string) => go(`/activity?${view}${spanQuery(start, s.bucketSeconds)}`)
  return (
    <>
      {s.buckets.some((b) => b.estimated) && <Note>{t('overview.estimated')}</Note>}
      <div className="figures">
        <Figure
          name={t('overview.messages')}
          value={number(sum.messages)}
          differs={change(sum.messages, before.messages)}
          href={list('')}
        />
        <Figure
          name={t('word.SENT')}
          value={number(sum.sent)}
          differs={change(sum.sent, before.sent)}
          good="more"
          href={list('&status=SENT')}
        />
        <Figure
          name={t('word.FAILED')}
          value={number(sum.failed)}
          differs={change(sum.failed, before.failed)}
          good="less"
          href={list('&status=ERROR')}
        />
        <Figure
          name={t('overview.failureRate')}
          value={percent(failed)}
          differs={change(failed, share(before.failed, before.messages))}
          good="less"
          href={list('&status=ERROR')}
        />
        <Figure name={t('overview.waiting')} value={number(sum.pending)} href={list('&status=PENDING')} />
        <Figure
          name={t('overview.latency')}
          value={p95 === null ? '–' : lasted(p95)}
          differs={change(p95, latency(past.buckets, 'p95'))}
          good="less"
        />
      </div>
      <div className="cols charts">
        <Card>
          <Plot
            title={t('overview.throughput')}
            unit={t('overview.unitMessages')}
            starts={starts}
            onOpen={open('view=messages&')}
            series={[
              { name: t('overview.messages'), color: colors[0]!, values: s.buckets.map((b) => b.messages) },
              { name: t('word.SENT'), color: colors[1]!, dash: dashes[1], values: s.buckets.map((b) => b.sent) },
              {
                name: t('word.FAILED'),
                color: colors[2]!,
                dash: dashes[2],
                values: s.buckets.map((b) => b.failed),
              },
            ]}
          />
        </Card>
        <Card>
          <Plot
            title={t('overview.latencyChart')}
            unit="ms"
            starts={starts}
            series={(['p50', 'p95', 'p99'] as const).map((q, i) => ({
              name: q,
              color: colors[i]!,
              dash: dashes[i],
              values: s.buckets.map((b) => b.latency?.[q] ?? null),
            }))}
          />
        </Card>
        <Card>
          <Plot
            title={t('overview.failedRequests')}
            unit={t('overview.unitRequests')}
            starts={starts}
            onOpen={open('view=requests&status=REJECTED%2CUNKNOWN&')}
            series={providers.slice(0, colors.length).map((p, i) => ({
              name: p.id,
              color: colors[i]!,
              dash: dashes[i],
              values: s.buckets.map((b) => failuresOf(b, p.id)),
            }))}
          />
        </Card>
        <Card title={t('overview.byChannel')}>
          <Table
            label={t('overview.byChannel')}
            rows={channels}
            id={(c) => c.channel}
            empty={t('overview.noMessages')}
            columns={[
              {
                name: t('common.channel'),
                cell: (c) => <Link href={list(`&channel=${c.channel}`)}>{words(c.channel)}</Link>,
              },
              { name: t('overview.messages'), cell: (c) => number(c.messages) },
              {
                name: t('word.FAILED'),
                cell: (c) => <Link href={list(`&channel=${c.channel}&status=ERROR`)}>{number(c.failed)}</Link>,
              },
              { name: t('overview.failureRate'), cell: (c) => percent(share(c.failed, c.messages)) },
            ]}
          />
        </Card>
        <Card title={t('overview.byProvider')}>
          <Table
            label={t('overview.byProvider')}
            rows={providers}
            id={(p) => p.id}
            empty={t('overview.noRequests')}
            columns={[
              {
                name: t('common.provider'),
                cell: (p) => (
                  <Link href={`/activity?view=requests&since=${seconds}&provider=${encodeURIComponent(p.id)}`}>
                    {p.id}
                  </Link>
                ),
              },
              { name: words('ACCEPTED'), cell: (p) => number(p.accepted) },
              {
                name: t('word.FAILED'),
                cell: (p) => (
                  <Link
                    href={`/activity?view=requests&since=${seconds}&provider=${encodeURIComponent(p.id)}&status=REJECTED%2CUNKNOWN`}
                  >
                    {number(p.failures)}
                  </Link>
                ),
              },
              {
                name: t('overview.failureRate'),
                cell: (p) => percent(share(p.failures, p.accepted + p.failures)),
              },
            ]}
          />
        </Card>
      </div>
    </>
  )
}

/** What needs attention now: integrations that fail, runs that are parked, and how far behind the work is. */
function State({ at }: { at: string }) {
  const query = useQuery(StateDocument, {})
  const { reload } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh of the page is one of this.
  useEffect(reload, [at])
  const now = useNow()
  return (
    <Load of={query}>
      {({ oldest, attention, integrations }) => {
        const unhealthy = integrations.nodes.filter(isUnhealthy)
        const first = oldest.nodes[0]
        const lag = first ? Math.max(now - Date.parse(first.createdAt), 0) : 0
        const facts: [tone: 'good' | 'bad' | 'wait', text: ReactNode, href: string][] = [
          unhealthy.length > 0
            ? ['bad', t('overview.unhealthy', { n: unhealthy.length }), '/integrations']
            : ['good', t('overview.healthy'), '/integrations'],
          attention.totalCount > 0
            ? ['bad', t('overview.parked', { n: attention.totalCount }), '/activity?status=PARKED']
            : ['good', t('overview.nothingParked'), '/activity?status=PARKED'],
          lag > 60_000
            ? ['wait', t('overview.lag', { time: lasted(lag) }), '/activity?status=PENDING']
            : ['good', t('overview.noLag'), '/activity?status=PENDING'],
        ]
        return (
          <Card title={t('overview.now')}>
            <ul className="facts-row">
              {facts.map(([tone, text, href]) => (
                <li key={href}>
                  <Link href={href}>
                    <Badge tone={tone}>{text}</Badge>
                  </Link>
                </li>
              ))}
            </ul>
            {unhealthy.length > 0 && (
              <Table
                label={t('overview.unhealthyTable')}
                rows={unhealthy}
                id={(i) => i.id}
                columns={[
                  {
                    name: t('word.INTEGRATION'),
                    cell: (i) => <Link href={`/integrations/${i.id}`}>{i.name}</Link>,
                  },
                  { name: t('common.channel'), cell: (i) => words(i.channel) },
                  {
                    name: t('common.status'),
                    cell: (i) =>
                      i.breaker === 'CLOSED' ? (
                        <Badge tone="wait">{t('overview.failing')}</Badge>
                      ) : (
                        <Badge tone="bad">{t('overview.breakerOpen')}</Badge>
                      ),
                  },
                  {
                    name: t('word.FAILED'),
                    cell: (i) => (
                      <Link
                        href={`/activity?view=requests&since=3600&integration=${encodeURIComponent(i.id)}&status=REJECTED%2CUNKNOWN`}
                      >
                        {number((i.health?.rejected ?? 0) + (i.health?.unknown ?? 0))}
                      </Link>
                    ),
                  },
                  { name: t('word.ERROR'), cell: (i) => i.breakerCause ?? '–' },
                ]}
              />
            )}
          </Card>
        )
      }}
    </Load>
  )
}

/** What people did with what they were sent. */
function Engagement({ from, to, since }: { from: string; to: string; since: string }) {
  const query = useQuery(EngagementDocument, { from, to })
  return (
    <Card title={t('overview.engagement')}>
      <Load of={query}>
        {(e) => {
          const shown = ({ totalCount, totalCountCapped }: { totalCount: number; totalCountCapped: boolean }) =>
            number(totalCount) + (totalCountCapped ? '+' : '')
          const any = [e.delivered, e.opened, e.clicked, e.bounced, e.inbox].some((c) => c.totalCount > 0)
          if (!any) return <Empty>{t('overview.noEngagement')}</Empty>
          const of = (kind: string) => `/receipts?since=${since}&kind=${kind}`
          return (
            <div className="figures">
              <Figure name={words('DELIVERED')} value={shown(e.delivered)} href={of('DELIVERED')} />
              <Figure name={words('OPENED')} value={shown(e.opened)} href={of('OPENED')} />
              <Figure name={words('CLICKED')} value={shown(e.clicked)} href={of('CLICKED')} />
              <Figure name={t('overview.bounced')} value={shown(e.bounced)} href={of('BOUNCED')} />
              <Figure
                name={t('overview.read')}
                value={`${shown(e.read)} / ${shown(e.inbox)}`}
                href={`/activity?view=messages&channel=IN_APP&since=${since}`}
              />
            </div>
          )
        }}
      </Load>
    </Card>
  )
}
