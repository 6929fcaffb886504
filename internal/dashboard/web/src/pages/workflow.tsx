import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { useAction, useQuery } from '../api'
import { Editor } from '../editor/editor'
import { Switch } from '../form'
import { DeleteWorkflowDocument, SetWorkflowActiveDocument, WorkflowDocument } from '../gql'
import { Confirm } from '../overlay'
import { t } from '../text/text'
import { Failure, Load, Page, Skeleton, Tabs } from '../ui'
import { discard } from '../unsaved'
import { WorkflowState } from './workflow-state'

const Test = lazy(async () => ({ default: (await import('./workflow-test')).Test }))
const Versions = lazy(async () => ({ default: (await import('./workflow-versions')).Versions }))

export function WorkflowPage({ reference, tab }: { reference: string; tab: string }) {
  const query = useQuery(WorkflowDocument, { reference })
  const [, go] = useLocation()
  const toggle = useAction(SetWorkflowActiveDocument, query.reload)
  const remove = useAction(DeleteWorkflowDocument, () => {
    discard()
    go('/workflows')
  })
  const base = `/workflows/${encodeURIComponent(reference)}`
  return (
    <Load of={query} title={reference}>
      {({ workflowByReference: w }) => (
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
          {tab === 'Editor' && <Editor w={w} reload={query.reload} key={w.id} />}
          <Suspense fallback={<Skeleton />}>
            {tab === 'Test' && <Test w={w} />}
            {tab === 'Versions' && <Versions reference={reference} onRestored={query.reload} id={w.id} />}
          </Suspense>
        </Page>
      )}
    </Load>
  )
}
