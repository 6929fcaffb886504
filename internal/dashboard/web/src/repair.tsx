import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useAction, useActionOnce } from './api'
import { Button, type Look } from './button'
import type { MemberRole, TypedDocumentString } from './gql'
import { Dialog } from './overlay'
import { useMay } from './role'
import { t } from './text/text'
import { Failure } from './ui'

/**
 * A button for what is done by hand to what was triggered. It first asks the server what would happen, shows that, and does it
 * when it is confirmed.
 */
export function Repair<R, I extends { dryRun?: boolean | null }>({
  label,
  icon,
  look,
  document,
  input,
  says,
  done,
  needs = 'EDITOR',
}: {
  label: string
  icon?: LucideIcon
  look?: Look
  document: TypedDocumentString<R, { input: I }>
  input: I
  says: (would: R) => ReactNode
  done?: (result: R) => void
  needs?: MemberRole
}) {
  const [would, setWould] = useState<R>()
  const [open, setOpen] = useState(false)
  const ask = useAction(document, setWould)
  const act = useActionOnce(document, (result) => {
    setOpen(false)
    done?.(result)
  })
  if (!useMay(needs)) return null
  const begin = () => {
    setWould(undefined)
    act.clear()
    setOpen(true)
    ask.run({ input: { ...input, dryRun: true } })
  }
  return (
    <>
      <Button look={look} icon={icon} onClick={begin}>
        {label}
      </Button>
      {open && (
        <Dialog title={label} onClose={() => setOpen(false)} alert>
          <Failure error={ask.error ?? act.error} />
          {ask.busy && <p>{t('repair.asking')}</p>}
          {would && <div>{says(would)}</div>}
          <div className="row end">
            <Button onClick={() => setOpen(false)}>{t('common.cancel')}</Button>
            <Button look="danger" disabled={!would || act.busy} onClick={() => act.run({ input })}>
              {label}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
