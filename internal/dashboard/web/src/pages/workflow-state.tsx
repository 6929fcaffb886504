import type { WorkflowQuery, WorkflowsQuery } from '../gql'
import { t } from '../text/text'
import { Badge, Note } from '../ui'

type State = Pick<WorkflowsQuery['workflows']['nodes'][number], 'active' | 'publishedNumber' | 'issues'>
type Issue = WorkflowQuery['workflowByReference']['issues'][number]

/** Reports whether an issue is a hint only: in-app messages are kept until the inbox is opened. */
export const isHint = (issue: Pick<Issue, 'issueType'>) => issue.issueType === 'INBOX_NOT_CONNECTED'

/** What a workflow is to its authors: whether triggers use it, and beside it how many problems it has. */
export function WorkflowState({ of: w }: { of: State }) {
  const problems = w.issues.filter((issue) => !isHint(issue)).length
  return (
    <>
      {w.publishedNumber === 0 ? (
        <Badge tone="wait">{t('workflowstate.draft')}</Badge>
      ) : w.active ? (
        <Badge tone="good">{t('common.published')}</Badge>
      ) : (
        <Badge>{t('common.off')}</Badge>
      )}
      {problems > 0 && (
        <>
          {' '}
          <Badge tone="bad">{t('workflowstate.problems', { n: problems })}</Badge>
        </>
      )}
    </>
  )
}

/** The problems of a draft, and what is worth knowing about it. */
export function Issues({ of }: { of: readonly Issue[] }) {
  const problems = of.filter((issue) => !isHint(issue))
  return (
    <>
      {problems.length > 0 && (
        <Note tone="wait">
          <strong>{t('workflowstate.theDraftHasProblems')}</strong>
          <ul>
            {problems.map((issue, i) => (
              <li key={i}>
                {issue.stepId && <code>{issue.stepId}</code>} {issue.message}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {of.some(isHint) && <p className="soft">{t('workflowstate.noInboxWasConnectedIn')}</p>}
    </>
  )
}
