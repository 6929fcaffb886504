import { RotateCw } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { Broken } from './broken'
import { Button } from './button'
import { Unanswered } from './errors'
import { Dialog } from './overlay'
import { t } from './text/text'
import { Failure, Skeleton } from './ui'

/** Loads a module that is not there before it is wanted; its failure says what to do. */
export const loading = <M,>(module: Promise<M>): Promise<M> =>
  module.catch(() => {
    throw new Unanswered(t('broken.part'))
  })

/**
 * A part of a page that is loaded when it is first shown. One that cannot be had says so at its place, where it can be tried again: the
 * page keeps what was typed.
 */
export function part<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode = () => <Skeleton rows={3} />,
): ComponentType<P> {
  const begin = () => lazy(async () => ({ default: await loading(load()) }))
  let Loaded = begin()
  return function Part(props: P) {
    const [turn, setTurn] = useState(0)
    const again = () => {
      Loaded = begin()
      setTurn(turn + 1)
    }
    return (
      <Broken at={String(turn)} says={(error) => <Missing error={error} onAgain={again} {...props} />}>
        <Suspense fallback={waiting(props)}>
          <Loaded {...props} />
        </Suspense>
      </Broken>
    )
  }
}

/** A part that is a dialog, or another thing that closes, is missed in a dialog. */
function Missing({ error, onAgain, onClose }: { error: Error; onAgain: () => void; onClose?: () => void }) {
  const says = (
    <>
      <Failure error={error} />
      <div>
        <Button icon={RotateCw} onClick={onAgain}>
          {t('ui.again')}
        </Button>
      </div>
    </>
  )
  return onClose ? (
    <Dialog title={t('broken.notLoaded')} onClose={onClose}>
      {says}
    </Dialog>
  ) : (
    <div className="stack">{says}</div>
  )
}
