import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { t } from '../text/text'
import { Badge } from '../ui'

type Section = { id: string; name: string; wrong?: boolean; content: () => ReactNode }

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
  onChoose: (id: string) => void
}) {
  const own = useId()
  const at = Math.max(
    0,
    sections.findIndex((s) => s.id === current),
  )
  const key = (e: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
    if (!by) return
    e.preventDefault()
    const next = (at + by + sections.length) % sections.length
    onChoose(sections[next]!.id)
    e.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div className="tabs sections" role="tablist" aria-label={label} onKeyDown={key}>
        {sections.map((s, i) => (
          <button
            type="button"
            role="tab"
            key={s.id}
            id={`${own}tab${i}`}
            aria-selected={i === at}
            aria-controls={`${own}panel`}
            tabIndex={i === at ? 0 : -1}
            onClick={() => onChoose(s.id)}
          >
            {s.name} {s.wrong && <Badge tone="bad">{t('section.error')}</Badge>}
          </button>
        ))}
      </div>
      <div className="stack section" role="tabpanel" id={`${own}panel`} aria-labelledby={`${own}tab${at}`}>
        {sections[at]?.content()}
      </div>
    </>
  )
}
