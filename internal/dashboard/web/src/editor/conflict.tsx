import { request } from '../api'
import { Conflict } from '../conflict'
import { WorkflowDocument, type WorkflowQuery } from '../gql'
import { t } from '../text/text'

/** Says that a draft was saved elsewhere meanwhile, and asks which of the two remains. */
export function DraftConflict({
  id,
  onTheirs,
  onMine,
}: {
  id: string
  onTheirs: (theirs: WorkflowQuery['workflowByReference']) => void
  onMine: () => Promise<unknown>
}) {
  return (
    <Conflict
      said={t('editor.conflict')}
      take={t('editor.takeTheirs')}
      onTheirs={async () => onTheirs((await request(WorkflowDocument, { reference: id })).workflowByReference)}
      onMine={onMine}
    />
  )
}
