import { useEffect, useRef } from 'react'
import { Dialog } from './overlay'
import { type Key, t } from './text/text'

/** Keys and what they do. A sequence is typed one after the other. */
export const shortcuts: { keys: string; name: Key; to?: string }[] = [
  { keys: 'mod k', name: 'shortcut.palette' },
  { keys: '?', name: 'shortcut.list' },
  { keys: '/', name: 'shortcut.search' },
  { keys: 'j', name: 'shortcut.next' },
  { keys: 'k', name: 'shortcut.previous' },
  { keys: 'Enter', name: 'shortcut.open' },
  { keys: 'Escape', name: 'shortcut.close' },
  { keys: 'g o', name: 'nav.overview', to: '/overview' },
  { keys: 'g a', name: 'nav.activity', to: '/activity' },
  { keys: 'g w', name: 'nav.workflows', to: '/workflows' },
  { keys: 'g s', name: 'nav.subscribers', to: '/subscribers' },
  { keys: 'g t', name: 'nav.topics', to: '/topics' },
  { keys: 'g i', name: 'nav.integrations', to: '/integrations' },
  { keys: 'g h', name: 'nav.health', to: '/health' },
  { keys: 'g e', name: 'nav.environments', to: '/environments' },
]

/** Reports whether what is typed belongs to what has the focus, not to the page. */
function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      !!target.closest('[role=dialog], [role=menu]'))
  )
}

const patience = 1500

/** Calls what belongs to a key, or to two keys typed one after the other, while the person is not typing elsewhere. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>) {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    let before = ''
    let at = 0
    const hear = (e: KeyboardEvent) => {
      const act = (keys: string) => {
        const action = latest.current[keys]
        if (!action) return false
        e.preventDefault()
        action()
        return true
      }
      if ((e.metaKey || e.ctrlKey) && !e.altKey && !e.shiftKey) {
        act(`mod ${e.key.toLowerCase()}`)
        return
      }
      if (e.altKey || e.metaKey || e.ctrlKey || e.defaultPrevented || typing(e.target)) return
      const sequence = before && e.timeStamp - at < patience ? `${before} ${e.key}` : ''
      before = sequence ? '' : e.key
      at = e.timeStamp
      if (!sequence || !act(sequence)) act(e.key)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}

const keyName = (key: string) =>
  key === 'mod' ? t('shortcut.ctrl') : key === 'Escape' ? 'Esc' : key.length === 1 ? key.toUpperCase() : key

/** A key, or keys, as they are written on a keyboard. */
export const Keys = ({ of }: { of: string }) => (
  <span className="keys">
    {of.split(' ').map((key, i) => (
      <kbd key={i}>{keyName(key)}</kbd>
    ))}
  </span>
)

/** The list of all shortcuts. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('shortcut.title')} onClose={onClose}>
      <dl className="shortcuts">
        {shortcuts.map(({ keys, name, to }) => (
          <div key={keys}>
            <dt>{to ? t('shortcut.go', { page: t(name) }) : t(name)}</dt>
            <dd>
              <Keys of={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
