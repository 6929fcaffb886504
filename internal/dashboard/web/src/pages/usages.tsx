import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Action, Loaded } from '../api'
import { Button } from '../button'
import { Dialog } from '../overlay'
import { t } from '../text/text'
import { Failure, Load } from '../ui'
import { words } from '../words'
import { type Place, placeAddress } from './places'

/** The records that use something, each with a link to its page: all, or the first few. */
export function Usages({ of, most = of.length }: { of: readonly Place[]; most?: number }) {
  return (
    <ul>
      {of.slice(0, most).map((p) => (
        <li key={`${p.kind} ${p.name} ${p.path} ${p.line}`}>
          {words(p.kind)} <Link href={placeAddress(p)}>{p.name}</Link>
          {p.path && (
            <>
              : <code>{p.path}</code>
            </>
          )}
          {p.line && t('usages.line', { n: p.line })}
        </li>
      ))}
      {of.length > most && <li>{t('usages.more', { n: of.length - most })}</li>}
    </ul>
  )
}

/** Shows what uses a record before it is deleted. */
export function DeleteUsed<D, V>({
  name,
  usages,
  places,
  warning,
  action,
  variables,
  onClose,
}: {
  name: string
  usages: Loaded<D>
  places: (data: D) => readonly Place[]
  warning: (used: readonly Place[]) => ReactNode
  action: Action<V>
  variables: (used: boolean) => V
  onClose: () => void
}) {
  return (
    <Dialog title={t('common.deleteName', { name })} onClose={onClose}>
      <Load of={usages}>
        {(data) => {
          const used = places(data)
          return (
            <>
              {used.length === 0 ? <p>{t('usages.none', { name })}</p> : <p>{warning(used)}</p>}
              {used.length > 0 && <Usages of={used} />}
              <Failure error={action.error} />
              <div className="row end">
                <Button onClick={onClose}>{t('common.cancel')}</Button>
                <Button look="danger" disabled={action.busy} onClick={() => action.run(variables(used.length > 0))}>
                  {used.length > 0 ? t('usages.deleteAlthoughItIsUsed') : t('common.delete')}
                </Button>
              </div>
            </>
          )
        }}
      </Load>
    </Dialog>
  )
}
