import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import './plot.css'
import { language, number, t } from '../text/text'
import { exact } from '../time'
import { isolated } from './overview-figures'

export type Series = { name: string; color: string; dash?: number[]; values: (number | null)[] }

const height = 190

/** The colour of a token now. */
const colour = (token: string) => {
  const probe = document.createElement('i')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}

/** What is written below the time axis: days, or times of day, as its language writes them. */
function marks(at: readonly number[], step: number): string[] {
  const format = new Intl.DateTimeFormat(
    language(),
    step < 86_400 ? { hour: '2-digit', minute: '2-digit' } : { month: 'short', day: 'numeric' },
  )
  return at.map((seconds) => format.format(seconds * 1000))
}

/** Lines over time, with the same data in a table for those who do not see them. A click on a span opens what it counts. */
export default function Plot({
  title,
  unit,
  starts,
  series,
  onOpen,
}: {
  title: string
  unit: string
  starts: readonly string[]
  series: readonly Series[]
  onOpen?: (start: string) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const open = useRef(onOpen)
  open.current = onOpen
  const key = JSON.stringify([starts, series])
  // biome-ignore lint/correctness/useExhaustiveDependencies: key is all that is drawn.
  useEffect(() => {
    const node = place.current!
    const draw = () => {
      const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
      return new uPlot(
        {
          width: node.clientWidth,
          height,
          cursor: { y: false, drag: { x: false, y: false } },
          legend: { live: true },
          scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.05, 1)] } },
          axes: [
            { ...axis, space: 70, values: (_, at, __, ___, step) => marks(at, step) },
            { ...axis, size: 52, values: (_, at) => at.map((value) => number(value)) },
          ],
          series: [
            { label: t('common.when'), value: (_, at) => (at == null ? '–' : exact(at * 1000, language())) },
            ...series.map((s) => ({
              label: s.name,
              stroke: colour(s.color),
              width: 2,
              dash: s.dash,
              points: { show: true, size: 5, filter: () => isolated(s.values) },
              value: (_: uPlot, v: number | null) => (v == null ? '–' : `${number(v)} ${unit}`),
            })),
          ],
        },
        [starts.map((s) => Date.parse(s) / 1000), ...series.map((s) => s.values)],
        node,
      )
    }
    let plot = draw()
    const again = () => {
      plot.destroy()
      plot = draw()
    }
    // On paper, colours are light; what is drawn keeps those that it was drawn with.
    const forPaper = () => {
      const { style } = document.documentElement
      style.colorScheme = 'light'
      again()
      style.colorScheme = ''
    }
    const click = () => {
      const start = starts[plot.cursor.idx ?? -1]
      if (start) open.current?.(start)
    }
    const watch = new ResizeObserver(() => plot.setSize({ width: node.clientWidth, height }))
    watch.observe(node)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', again)
    addEventListener('beforeprint', forPaper)
    addEventListener('afterprint', again)
    node.addEventListener('click', click)
    return () => {
      watch.disconnect()
      dark.removeEventListener('change', again)
      removeEventListener('beforeprint', forPaper)
      removeEventListener('afterprint', again)
      node.removeEventListener('click', click)
      plot.destroy()
    }
  }, [key])
  return (
    <figure className="plot">
      <figcaption>
        <h2>{title}</h2>
      </figcaption>
      <div ref={place} aria-hidden className={onOpen ? 'canvas opens' : 'canvas'} />
      <details className="small">
        <summary>
          {t('common.data')}
          <span className="hidden">: {title}</span>
        </summary>
        <div className="scroll plot-data" tabIndex={0} role="region" aria-label={`${t('common.data')}: ${title}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('filter.from')}</th>
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
                  <td>{exact(Date.parse(start), language())}</td>
                  {series.map((s) => (
                    <td key={s.name}>{s.values[i] == null ? '–' : number(s.values[i])}</td>
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
