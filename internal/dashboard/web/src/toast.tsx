import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { Button } from './button'
import { t } from './text/text'

type Toast = { id: number; text: string; bad?: boolean; undo?: () => void }

let shown: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()
const change = (next: readonly Toast[]) => {
  shown = next
  for (const listener of listeners) listener()
}

const most = 3
const stays = 8000

/** Says in a corner of the page what was done, for some seconds, with the way back where there is one. */
export function toast(text: string, options: { bad?: boolean; undo?: () => void } = {}) {
  change([...shown, { id: ++last, text, ...options }].slice(-most))
}

const dismiss = (id: number) => change(shown.filter((s) => s.id !== id))

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The place of what is said by toast. */
export function Toasts() {
  const all = useSyncExternalStore(subscribe, () => shown)
  return (
    <section className="toasts" role="status" aria-label={t('toast.place')}>
      {all.map((s) => (
        <One key={s.id} of={s} />
      ))}
    </section>
  )
}

function One({ of }: { of: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(of.id), stays)
    return () => clearTimeout(timer)
  }, [of.id])
  const Icon = of.bad ? CircleAlert : CircleCheck
  return (
    <div className={of.bad ? 'toast bad' : 'toast'}>
      <Icon aria-hidden className="icon" />
      <span>{of.text}</span>
      {of.undo && (
        <Button
          look="plain"
          onClick={() => {
            dismiss(of.id)
            of.undo?.()
          }}
        >
          {t('toast.undo')}
        </Button>
      )}
      <button type="button" className="button square quiet" aria-label={t('ui.close')} onClick={() => dismiss(of.id)}>
        <X aria-hidden className="icon" />
      </button>
    </div>
  )
}
