import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { t } from '../text/text'
import { Badge } from '../ui'

type Section = { name: string; wrong?: boolean; content: () => ReactNode }

/** Sections of a panel, of which one is shown. Arrow keys move between them. */
export function Sections({
  label,
  sections,
  current,
  onChoose,
}: {
  label: string
  sections: readonly Section[]
  current: string
  onChoose: (name: string) => void
}) {
  const id = useId()
  const at = Math.max(
    0,
    sections.findIndex((s) => s.name === current),
  )
  const key = (e: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
    if (!by) return
    e.preventDefault()
    const next = (at + by + sections.length) % sections.length
    onChoose(sections[next]!.name)
    e.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div className="tabs sections" role="tablist" aria-label={label} onKeyDown={key}>
        {sections.map((s, i) => (
          <button
            type="button"
            role="tab"
            key={s.name}
            id={`${id}tab${i}`}
            aria-selected={i === at}
            aria-controls={`${id}panel`}
            tabIndex={i === at ? 0 : -1}
            onClick={() => onChoose(s.name)}
          >
            {s.name} {s.wrong && <Badge tone="bad">{t('section.error')}</Badge>}
          </button>
        ))}
      </div>
      <div className="stack section" role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}tab${at}`}>
        {sections[at]?.content()}
      </div>
    </>
  )
}
