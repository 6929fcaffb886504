import { useId, useLayoutEffect, useRef, useState } from 'react'
import { isIsolated, linePath, scale } from './chart-scale'

export type Series = { name: string; color: string; dash?: string; values: (number | null)[] }

const height = 200
const left = 44
const right = 8
const bottom = 22
const top = 24

/** How wide an element is: what is drawn in it keeps the size of its letters. */
function useWidth() {
  const ref = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([e]) => e && setWidth(Math.max(200, Math.round(e.contentRect.width))))
    watch.observe(ref.current!)
    return () => watch.disconnect()
  }, [])
  return [ref, width] as const
}

const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** Lines over time, with the same data in a table for screen readers. */
export function Chart({
  title,
  unit,
  starts,
  series,
}: {
  title: string
  unit: string
  starts: string[]
  series: Series[]
}) {
  const id = useId()
  const [ref, width] = useWidth()
  const most = Math.max(...series.flatMap((s) => s.values.map((v) => v ?? 0)), 0)
  const { step, ceiling } = scale(most)
  const x = (i: number) => left + (starts.length < 2 ? 0 : (i * (width - left - right)) / (starts.length - 1))
  const y = (v: number) => height - bottom - (v / ceiling) * (height - bottom - top)
  const sameDay = starts.length > 0 && new Date(starts[0]!).toDateString() === new Date(starts.at(-1)!).toDateString()
  const label = new Intl.DateTimeFormat(
    undefined,
    sameDay ? { timeStyle: 'short' } : { month: 'short', day: 'numeric', hour: 'numeric' },
  )
  const slot = (width - left - right) / Math.max(starts.length - 1, 1)
  const value = (v?: number | null) => (v == null ? '–' : `${v.toLocaleString()} ${unit}`)
  const ticks = [0, Math.floor((starts.length - 1) / 2), starts.length - 1]
  return (
    <figure ref={ref} style={{ margin: 0 }} className="stack">
      <figcaption id={id}>
        <h2>{title}</h2>
      </figcaption>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: aria-labelledby names it. */}
      <svg className="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        <text x={0} y={12}>
          {unit}
        </text>
        {Array.from({ length: Math.round(ceiling / step) + 1 }, (_, i) => i * step).map((v) => (
          <g key={v}>
            <line className="grid" x1={left} x2={width - right} y1={y(v)} y2={y(v)} />
            <text x={left - 6} y={y(v) + 4} textAnchor="end">
              {short.format(v)}
            </text>
          </g>
        ))}
        {ticks.map((i, k) => (
          <text key={k} x={x(i)} y={height - 5} textAnchor={k === 0 ? 'start' : k === 1 ? 'middle' : 'end'}>
            {starts[i] && label.format(new Date(starts[i]))}
          </text>
        ))}
        {series.map((s) => (
          <g key={s.name} stroke={s.color} fill={s.color}>
            <path
              d={linePath(s.values, x, y)}
              fill="none"
              strokeWidth="2"
              strokeDasharray={s.dash}
              strokeLinejoin="round"
            />
            {s.values.map(
              (v, i) =>
                v !== null && isIsolated(s.values, i) && <circle key={i} cx={x(i)} cy={y(v)} r="3" stroke="none" />,
            )}
          </g>
        ))}
        {starts.map((start, i) => (
          <rect key={start} x={x(i) - slot / 2} y={top} width={slot} height={height - top - bottom} fill="transparent">
            <title>
              {[label.format(new Date(start)), ...series.map((s) => `${s.name}: ${value(s.values[i])}`)].join('\n')}
            </title>
          </rect>
        ))}
      </svg>
      <div className="row small">
        {series.map((s) => (
          <span key={s.name} className="row" style={{ gap: '.3rem' }}>
            <svg width="22" height="8" aria-hidden="true">
              <line x1="0" x2="22" y1="4" y2="4" stroke={s.color} strokeWidth="3" strokeDasharray={s.dash} />
            </svg>
            {s.name}
          </span>
        ))}
      </div>
      <details className="small">
        <summary>
          Data<span className="hidden"> of {title}</span>
        </summary>
        <div
          className="scroll"
          tabIndex={0}
          role="region"
          aria-label={`Data of ${title}`}
          style={{ maxHeight: '16rem', overflow: 'auto' }}
        >
          <table>
            <thead>
              <tr>
                <th scope="col">From</th>
                {series.map((s) => (
                  <th scope="col" key={s.name}>
                    {s.name} ({unit})
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {starts.map((start, i) => (
                <tr key={start}>
                  <td>{label.format(new Date(start))}</td>
                  {series.map((s) => (
                    <td key={s.name}>{s.values[i]?.toLocaleString() ?? '–'}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
