import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button'
import { t } from './text/text'
import { Failure, Note } from './ui'

/** Says that a record was changed elsewhere meanwhile, and asks which of the two remains. */
export function Conflict({
  said = t('conflict.changed'),
  take = t('conflict.takeTheirs'),
  onTheirs,
  onMine,
}: {
  said?: string
  take?: string
  onTheirs: () => Promise<unknown>
  onMine: () => Promise<unknown>
}) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const run = (choice: () => Promise<unknown>) => {
    setBusy(true)
    choice()
      .catch(setError)
      .finally(() => setBusy(false))
  }
  return (
    <Note tone="bad" role="alert">
      <p>{said}</p>
      <div className="row">
        <Button icon={Download} disabled={busy} onClick={() => run(onTheirs)}>
          {take}
        </Button>
        <Button icon={Upload} disabled={busy} onClick={() => run(onMine)}>
          {t('conflict.keepMine')}
        </Button>
      </div>
      <Failure error={error} />
    </Note>
  )
}
