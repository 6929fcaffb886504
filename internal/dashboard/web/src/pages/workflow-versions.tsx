import { GitCompare, History } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { usePager } from '../address'
import { useQuery } from '../api'
import { Button } from '../button'
import { toInput } from '../editor/definition'
import { diff } from '../editor/diff'
import type { Draft } from '../editor/draft'
import { Select } from '../form'
import {
  VersionDocument,
  VersionsDocument,
  type VersionsQuery,
  type WorkflowDefinitionInput,
  type WorkflowQuery,
} from '../gql'
import { May } from '../role'
import { t } from '../text/text'
import { Card, Failure, Load, Pager, Table, Time } from '../ui'

type Version = VersionsQuery['workflowByReference']['versions']['nodes'][number]

/** What was published, and how it differs from the draft and from one another. */
export function Versions({ w, draft }: { w: WorkflowQuery['workflowByReference']; draft: Draft }) {
  const pager = usePager()
  const query = useQuery(VersionsDocument, { reference: w.identifier, ...pager.variables })
  const [params, setParams] = useSearchParams()
  const from = params.get('from')
  const choose = (name: string, value: string) =>
    setParams(
      (p) => {
        value ? p.set(name, value) : p.delete(name)
        return p
      },
      { replace: true },
    )
  return (
    <div className="cols">
      <Card title={t('workflowversions.versions')}>
        <Load of={query}>
          {({ workflowByReference: { versions } }) => (
            <>
              <Table
                label={t('workflowversions.versions')}
                rows={versions.nodes}
                id={(v) => v.id}
                empty={t('workflowversions.notPublishedYet')}
                columns={[
                  { name: t('common.version'), cell: (v) => v.number },
                  { name: t('common.published'), cell: (v) => <Time at={v.createdAt} /> },
                  {
                    name: '',
                    cell: (v) => (
                      <Button
                        icon={GitCompare}
                        aria-label={t('workflowversions.compareVersionNumber', { number: v.number })}
                        aria-pressed={from === v.id}
                        onClick={() => choose('from', v.id)}
                      >
                        {t('common.compare')}
                      </Button>
                    ),
                  },
                ]}
              />
              <Pager label={t('workflowversions.versions')} pager={pager} info={versions.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {from && query.data && (
        <Difference
          from={from}
          to={params.get('to') ?? ''}
          onTo={(to) => choose('to', to)}
          versions={query.data.workflowByReference.versions.nodes}
          draft={toInput(w.draft)}
          busy={draft.save.state !== 'saved'}
          error={draft.save.conflict ? undefined : draft.save.error}
          onRestore={(definition) => draft.put({ ...draft.about, definition })}
        />
      )}
    </div>
  )
}

type Props = {
  from: string
  to: string
  onTo: (to: string) => void
  versions: readonly Version[]
  draft: WorkflowDefinitionInput
  onRestore: (d: WorkflowDefinitionInput) => void
  busy: boolean
  error?: Error
}

/** The lines that changed from one version to another, or to the draft. */
function Difference({ from, to, onTo, versions, draft, onRestore, busy, error }: Props) {
  const before = useQuery(VersionDocument, { id: from })
  const after = useQuery(VersionDocument, { id: to }, to === '')
  return (
    <Load of={before}>
      {({ workflowVersion: v }) => (
        <Card
          title={t('workflowversions.fromVersionNumber', { number: v.number })}
          actions={
            <May>
              <Button
                icon={History}
                disabled={busy || same(toInput(v.definition), draft)}
                onClick={() => onRestore(toInput(v.definition))}
              >
                {t('workflowversions.restore', { n: v.number })}
              </Button>
            </May>
          }
        >
          <Failure error={error} />
          <Select
            label={t('common.to')}
            value={to}
            onChange={onTo}
            options={[
              { value: '', label: t('workflowversions.theDraft') },
              ...versions
                .filter((o) => o.id !== from)
                .map((o) => ({ value: o.id, label: t('workflowversions.versionN', { n: o.number }) })),
            ]}
          />
          {to === '' ? (
            <Lines before={toInput(v.definition)} after={draft} same={t('workflowversions.sameAsDraft')} />
          ) : (
            <Load of={after}>
              {({ workflowVersion: w }) => (
                <Lines
                  before={toInput(v.definition)}
                  after={toInput(w.definition)}
                  same={t('workflowversions.sameAsVersion', { n: w.number })}
                />
              )}
            </Load>
          )}
        </Card>
      )}
    </Load>
  )
}

const text = (definition: WorkflowDefinitionInput) => JSON.stringify(definition, null, 2)
const same = (a: WorkflowDefinitionInput, b: WorkflowDefinitionInput) => text(a) === text(b)

function Lines({
  before,
  after,
  same,
}: {
  before: WorkflowDefinitionInput
  after: WorkflowDefinitionInput
  same: string
}) {
  const lines = diff(text(before), text(after))
  if (lines.every((l) => l.kind === 'same')) return <p>{same}</p>
  return (
    <div className="diff" tabIndex={0} role="region" aria-label={t('workflowversions.differences')}>
      {lines.map((l, i) => (
        <div key={i} className={l.kind}>
          {l.kind === 'add' ? '+ ' : l.kind === 'del' ? '- ' : '  '}
          {l.text}
        </div>
      ))}
    </div>
  )
}
