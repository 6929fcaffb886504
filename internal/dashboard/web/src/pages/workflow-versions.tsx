import { useState } from 'react'
import { useAction, useQuery } from '../api'
import { diff, toInput } from '../editor/definition'
import { SaveWorkflowDocument, VersionDocument, VersionsDocument, type WorkflowDefinitionInput } from '../gql'
import { May } from '../role'
import { Card, Failure, Load, Pager, Table, Time, usePager } from '../ui'

/** What was published, and how it differs from the draft. */
export function Versions({ reference, id, onRestored }: { reference: string; id: string; onRestored: () => void }) {
  const pager = usePager(reference)
  const query = useQuery(VersionsDocument, { reference, first: 25, after: pager.after })
  const [chosen, setChosen] = useState<string>()
  const restore = useAction(SaveWorkflowDocument, () => {
    query.reload()
    onRestored()
  })
  return (
    <div className="cols">
      <Card title="Versions">
        <Load of={query}>
          {({ workflowByReference: { versions } }) => (
            <>
              <Table
                label="Versions"
                rows={versions.nodes}
                id={(v) => v.id}
                empty="It was never published."
                columns={[
                  { name: 'Version', cell: (v) => v.number },
                  { name: 'Published', cell: (v) => <Time at={v.createdAt} /> },
                  { name: '', cell: (v) => <button aria-pressed={chosen === v.id} onClick={() => setChosen(v.id)}>Compare {v.number} with the draft</button> },
                ]}
              />
              <Pager pager={pager} info={versions.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {chosen && query.data && <Difference id={chosen} draft={toInput(query.data.workflowByReference.draft)} busy={restore.busy} error={restore.error} onRestore={(definition) => restore.run({ input: { id, definition } })} />}
    </div>
  )
}

function Difference({ id, draft, onRestore, busy, error }: { id: string; draft: WorkflowDefinitionInput; onRestore: (d: WorkflowDefinitionInput) => void; busy: boolean; error?: Error }) {
  const query = useQuery(VersionDocument, { id })
  return (
    <Load of={query}>
      {({ workflowVersion: v }) => {
        const lines = diff(JSON.stringify(toInput(v.definition), null, 2), JSON.stringify(draft, null, 2))
        const changed = lines.some((l) => l.kind !== 'same')
        return (
          <Card
            title={`From version ${v.number} to the draft`}
            actions={
              <May>
                <button disabled={busy || !changed} onClick={() => onRestore(toInput(v.definition))}>
                  Make version {v.number} the draft
                </button>
              </May>
            }
          >
            <Failure error={error} />
            {changed ? (
              <div className="diff" tabIndex={0} role="region" aria-label="Differences">
                {lines.map((l, i) => (
                  <div key={i} className={l.kind}>
                    {l.kind === 'add' ? '+ ' : l.kind === 'del' ? '- ' : '  '}
                    {l.text}
                  </div>
                ))}
              </div>
            ) : (
              <p>The draft is the same.</p>
            )}
          </Card>
        )
      }}
    </Load>
  )
}
