import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useFilters } from '../address'
import { useQuery } from '../api'
import { Button } from '../button'
import { Select } from '../form'
import { StatisticsDocument, type StatisticsQuery } from '../gql'
import { Card, Load, Note, Page, Table } from '../ui'
import { Chart } from './chart'
import { attemptsByProvider, failuresOf } from './provider-statistics'

const periods = [
  { value: '3600', label: 'Last hour' },
  { value: '86400', label: 'Last day' },
  { value: '604800', label: 'Last week' },
  { value: '2592000', label: 'Last 30 days' },
]

/** How much was delivered, how fast, and what failed, by provider. */
export function Overview() {
  const { get, set } = useFilters()
  const period = periods.find((p) => p.value === get('period'))?.value ?? '3600'
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const query = useQuery(StatisticsDocument, { from: new Date(now - Number(period) * 1000).toISOString(), buckets: 60 })
  return (
    <Page
      title="Overview"
      actions={
        <Button icon={RefreshCw} onClick={() => setNow(Date.now())}>
          Refresh
        </Button>
      }
    >
      <Card>
        <Select label="Period" value={period} onChange={set('period')} options={periods} />
      </Card>
      <Load of={query}>{({ deliveryStatistics }) => <Charts of={deliveryStatistics} />}</Load>
    </Page>
  )
}

type Statistics = StatisticsQuery['deliveryStatistics']

const colors = ['var(--brand)', 'var(--good)', 'var(--bad)', 'var(--wait)', 'var(--soft)']
const dashes = [undefined, '6 3', '2 3', '8 3 2 3', '1 4']

function Charts({ of: s }: { of: Statistics }) {
  const starts = s.buckets.map((b) => b.start)
  const sum = (of: (b: Statistics['buckets'][number]) => number) => s.buckets.reduce((n, b) => n + of(b), 0)
  const providers = attemptsByProvider(s.buckets)
  return (
    <>
      {s.buckets.some((b) => b.estimated) && <Note>Some figures are estimates.</Note>}
      <div className="figures">
        {(
          [
            ['Messages', sum((b) => b.messages)],
            ['Sent', sum((b) => b.sent)],
            ['Failed', sum((b) => b.failed)],
            ['Waiting', sum((b) => b.pending)],
          ] as const
        ).map(([name, n]) => (
          <div className="card" key={name}>
            <span className="soft">{name}</span>
            <strong>{n.toLocaleString()}</strong>
          </div>
        ))}
      </div>
      <div className="cols">
        <Card>
          <Chart
            title="Throughput"
            unit="messages"
            starts={starts}
            series={[
              { name: 'Messages', color: colors[0]!, values: s.buckets.map((b) => b.messages) },
              { name: 'Sent', color: colors[1]!, dash: dashes[1], values: s.buckets.map((b) => b.sent) },
              { name: 'Failed', color: colors[2]!, dash: dashes[2], values: s.buckets.map((b) => b.failed) },
            ]}
          />
        </Card>
        <Card>
          <Chart
            title="Delivery latency (without delays and digests)"
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
          <Chart
            title="Failed requests by provider"
            unit="requests"
            starts={starts}
            series={providers.slice(0, colors.length).map((p, i) => ({
              name: p.id,
              color: colors[i]!,
              dash: dashes[i],
              values: s.buckets.map((b) => failuresOf(b, p.id)),
            }))}
          />
        </Card>
        <Card title="Requests by provider">
          <Table
            label="Requests by provider"
            rows={providers}
            id={(p) => p.id}
            empty="No requests in this period."
            columns={[
              { name: 'Provider', cell: (p) => p.id },
              { name: 'Accepted', cell: (p) => p.accepted.toLocaleString() },
              { name: 'Rejected', cell: (p) => p.rejected.toLocaleString() },
              { name: 'Outcome unknown', cell: (p) => p.unknown.toLocaleString() },
            ]}
          />
        </Card>
      </div>
    </>
  )
}
