import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { Tooltip } from './overlay'

/** How a button stands out: the main action of its place, one that takes something away, one among many, or one like a link. */
export type Look = 'primary' | 'danger' | 'quiet' | 'plain' | ''

type ButtonProps = ComponentProps<'button'> & { look?: Look; icon?: LucideIcon }

const classes = (...names: (string | undefined)[]) => names.filter(Boolean).join(' ')

export function Button({ look = '', icon: Icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={classes('button', look, className)} {...rest}>
      {Icon && <Icon aria-hidden className="icon" />}
      {children}
    </button>
  )
}

/** A button that shows an icon alone; its name is in a tooltip. */
export function IconButton({
  label,
  icon: Icon,
  look = 'quiet',
  className,
  ...rest
}: ButtonProps & { label: string; icon: LucideIcon }) {
  return (
    <Tooltip text={label}>
      <button type="button" aria-label={label} className={classes('button', 'square', look, className)} {...rest}>
        <Icon aria-hidden className="icon" />
      </button>
    </Tooltip>
  )
}

/** A link that looks like a button. */
export function LinkButton({
  href,
  look = '',
  icon: Icon,
  children,
}: {
  href: string
  look?: Look
  icon?: LucideIcon
  children: string
}) {
  return (
    <Link href={href} className={classes('button', look)}>
      {Icon && <Icon aria-hidden className="icon" />}
      {children}
    </Link>
  )
}
