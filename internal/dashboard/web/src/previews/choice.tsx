import type { LucideIcon } from 'lucide-react'
import { Button } from '../button'

/** One of a few choices, as buttons beside each other. */
export function Choice<V extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: V; name: string; icon?: LucideIcon }[]
  value: V
  onChange: (value: V) => void
}) {
  return (
    <div className="choice" role="group" aria-label={label}>
      {options.map((o) => (
        <Button
          key={o.value}
          icon={o.icon}
          look="quiet"
          aria-pressed={o.value === value}
          onClick={() => onChange(o.value)}
        >
          {o.name}
        </Button>
      ))}
    </div>
  )
}
