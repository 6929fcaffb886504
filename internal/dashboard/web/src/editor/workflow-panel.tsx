import type { WorkflowQuery } from '../gql'
import { Issues } from '../pages/workflow-state'
import { t } from '../text/text'
import type { About } from './autosave'
import { PayloadSchema } from './schema'
import { Sections } from './section'
import { Settings, WorkflowConditions } from './settings'
import { Source } from './source'

/** What holds for the workflow as a whole: the payload of its trigger, its settings, its conditions. */
export function WorkflowPanel({
  of,
  onChange,
  issues,
  error,
  section,
  onSection,
}: {
  of: About
  onChange: (next: About) => void
  issues: WorkflowQuery['workflowByReference']['issues']
  error?: Error
  section: string
  onSection: (name: string) => void
}) {
  const { definition } = of
  const set = (change: Partial<About>) => onChange({ ...of, ...change })
  return (
    <Sections
      label={t('workflowpanel.workflowSettings')}
      current={section}
      onChoose={onSection}
      sections={[
        {
          id: 'payload',
          name: t('common.payload'),
          content: () => (
            <PayloadSchema
              schema={definition.payloadSchema}
              validate={definition.validatePayload ?? false}
              onChange={(payloadSchema, validatePayload) =>
                set({ definition: { ...definition, payloadSchema, validatePayload } })
              }
            />
          ),
        },
        { id: 'settings', name: t('common.settings'), content: () => <Settings of={of} onChange={set} /> },
        {
          id: 'conditions',
          name: t('common.conditions'),
          wrong: error?.message.includes('definition.conditions'),
          content: () => <WorkflowConditions of={definition} onChange={(definition) => set({ definition })} />,
        },
        {
          id: 'issues',
          name: issues.length > 0 ? t('workflowpanel.issuesN', { n: issues.length }) : t('workflowpanel.issues'),
          content: () =>
            issues.length > 0 ? <Issues of={issues} /> : <p className="soft">{t('workflowpanel.noIssues')}</p>,
        },
        {
          id: 'json',
          name: 'JSON',
          content: () => <Source definition={definition} onChange={(definition) => set({ definition })} />,
        },
      ]}
    />
  )
}
