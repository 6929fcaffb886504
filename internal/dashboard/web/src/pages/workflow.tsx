import { useEffect } from 'react'
import { useLocation, useRouter } from 'wouter'
import { useAction, useQuery } from '../api'
import { useDraft } from '../editor/draft'
import { Editor } from '../editor/editor'
import { Switch } from '../form'
import { DeleteWorkflowDocument, SetWorkflowActiveDocument, WorkflowDocument, type WorkflowQuery } from '../gql'
import { discard } from '../marks'
import { Confirm } from '../overlay'
import { part } from '../part'
import { t } from '../text/text'
import { Failure, Load, Page, Tabs } from '../ui'
import { WorkflowState } from './workflow-state'

const Test = part(() => import('./workflow-test').then((m) => m.Test))
const Versions = part(() => import('./workflow-versions').then((m) => m.Versions))
const loadConflict = () => import('../editor/conflict').then((m) => m.DraftConflict)
const Conflict = part(loadConflict, () => null)

export function WorkflowPage({ reference, tab }: { reference: string; tab: string }) {
  const query = useQuery(WorkflowDocument, { reference })
  return (
    <Load of={query} title={reference}>
      {({ workflowByReference: w }) => (
        <Workflow of={w} reference={reference} tab={tab} reload={query.reload} key={w.id} />
      )}
    </Load>
  )
}

function Workflow({
  of: w,
  reference,
  tab,
  reload,
}: {
  of: WorkflowQuery['workflowByReference']
  reference: string
  tab: string
  reload: () => void
}) {
  const base = `/workflows/${encodeURIComponent(reference)}`
  const draft = useDraft(w, useRouter().base + base, reload)
  const [, go] = useLocation()
  const toggle = useAction(SetWorkflowActiveDocument, reload)
  const remove = useAction(DeleteWorkflowDocument, () => {
    discard()
    go('/workflows')
  })
  useEffect(() => void loadConflict().catch(() => {}), []) // so that it is there when it is wanted
  return (
    <Page
      title={w.name}
      actions={
        <>
          <WorkflowState of={w} />
          <Switch
            label={t('workflow.workflowIsEnabled')}
            on={w.active}
            busy={toggle.busy}
            onChange={(active) => toggle.run({ id: w.id, active })}
          />
          <Confirm
            label={t('common.delete')}
            question={t('workflow.deleteTheWorkflowNameIts', { name: w.name })}
            onConfirm={() => remove.run({ id: w.id })}
            busy={remove.busy}
          />
        </>
      }
    >
      <Failure error={toggle.error ?? remove.error} />
      <Tabs
        label={t('common.workflow')}
        current={tab}
        tabs={[
          ['Editor', t('workflow.tab.Editor'), base],
          ['Test', t('workflow.tab.Test'), `${base}/test`],
          ['Versions', t('workflow.tab.Versions'), `${base}/versions`],
        ]}
      />
      {draft.save.conflict && <Conflict id={w.id} onTheirs={draft.take} onMine={draft.save.overwrite} />}
      {tab === 'Editor' && <Editor w={w} draft={draft} />}
      {tab === 'Test' && <Test w={w} />}
      {tab === 'Versions' && <Versions w={w} draft={draft} />}
    </Page>
  )
}
