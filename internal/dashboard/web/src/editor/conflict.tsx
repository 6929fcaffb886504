import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { request } from '../api'
import { Button } from '../button'
import { WorkflowDocument, type WorkflowQuery } from '../gql'
import { t } from '../text/text'
import { Failure, Note } from '../ui'

/** Says that a draft was saved elsewhere meanwhile, and asks which of the two remains. */
export function Conflict({
  id,
  onTheirs,
  onMine,
}: {
  id: string
  onTheirs: (theirs: WorkflowQuery['workflowByReference']) => void
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
  const load = async () => onTheirs((await request(WorkflowDocument, { reference: id })).workflowByReference)
  return (
    <Note tone="bad" role="alert">
      <p>{t('editor.conflict')}</p>
      <div className="row">
        <Button icon={Download} disabled={busy} onClick={() => run(load)}>
          {t('editor.takeTheirs')}
        </Button>
        <Button icon={Upload} disabled={busy} onClick={() => run(onMine)}>
          {t('editor.keepMine')}
        </Button>
      </div>
      <Failure error={error} />
    </Note>
  )
}
