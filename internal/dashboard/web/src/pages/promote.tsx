import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { withEnvironment } from '../environment'
import { APIError } from '../errors'
import { Check, Select, Text } from '../form'
import {
  PromoteDocument,
  PromotionPlanDocument,
  type PromotionPlanQuery,
  PromotionsDocument,
  UndoPromotionDocument,
  type ViewerQuery,
} from '../gql'
import { include } from '../lists'
import { Confirm } from '../overlay'
import type { Me } from '../records'
import { May, useMay } from '../role'
import { rich } from '../text/rich'
import { t } from '../text/text'
import { Badge, Card, Failure, Load, Note, Page, Pager, Status, Table, Time } from '../ui'
import { words } from '../words'
import { endsOf, type Part, type Piece, parseParts, partKey, partName, resourceText, sideOf } from './promotion-parts'

type PlanOf = PromotionPlanQuery['promotionPlan']
type Change = PlanOf['changes'][number]
type Environment = ViewerQuery['environments']['nodes'][number]

/** Takes resources of one environment over into another, and shows what was taken over into the present one. */
export function Promote({ viewer }: { viewer: ViewerQuery }) {
  const { environment: here } = viewer.viewer as Me
  const [promoted, setPromoted] = useState(0)
  const [undone, setUndone] = useState(0)
  const may = useMay('EDITOR')
  return (
    <Page title={t('promote.promote')}>
      {may && (
        <Passage
          environments={viewer.environments.nodes}
          here={here.id}
          onPromoted={() => setPromoted(promoted + 1)}
          undone={undone}
        />
      )}
      <History environment={here.name} onUndone={() => setUndone(undone + 1)} key={promoted} />
    </Page>
  )
}

function Passage({
  environments,
  here,
  onPromoted,
  undone,
}: {
  environments: readonly Environment[]
  here: string
  onPromoted: () => void
  undone: number
}) {
  const { get, set } = useFilters()
  const { source, target } = endsOf(environments, here, get('from'), get('to'))
  const options = environments.map((e) => ({ value: e.id, label: e.name }))
  const only = get('only')
  if (!source || !target)
    return (
      <Card>
        <p className="soft">{t('promote.aPromotionNeedsTwoEnvironments')}</p>
      </Card>
    )
  return (
    <>
      <Card>
        <div className="filters">
          <Select label={t('common.from')} value={source.id} onChange={set('from')} options={options} />
          <Select label={t('common.to')} value={target.id} onChange={set('to')} options={options} />
        </div>
        <Text
          label={t('promote.onlyTheseResources')}
          value={only}
          onChange={set('only')}
          wrong={wrongParts(only)}
          placeholder="workflow/order-shipped, layout/brand"
          hint={t('promote.ifEmptyAllThatDiffer')}
        />
      </Card>
      {source.id === target.id ? (
        <Card>
          <p className="soft">{t('promote.chooseTwoDifferentEnvironments')}</p>
        </Card>
      ) : (
        !wrongParts(only) && (
          <Plan
            source={source}
            target={target}
            here={here}
            only={parseParts(only)}
            onPromoted={onPromoted}
            key={`${source.id} ${target.id} ${undone}`}
          />
        )
      )}
    </>
  )
}

function wrongParts(text: string): string {
  try {
    parseParts(text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

type PlanProps = { source: Environment; target: Environment; here: string; only?: Part[]; onPromoted: () => void }

/** What differs, and which of it is promoted. What is chosen is planned again, because it may need what is not. */
function Plan({ source, target, here, only, onPromoted }: PlanProps) {
  const [withDependencies, setDependencies] = useState(true)
  const [left, setLeft] = useState<string[]>([])
  const [done, setDone] = useState('')
  const ends = { source: source.id, target: target.id, withDependencies }
  const whole = useQuery(PromotionPlanDocument, { input: { ...ends, parts: only } })
  const chosen = (whole.data?.promotionPlan.changes ?? []).filter((c) => !left.includes(partKey(c)))
  const parts = chosen.map(({ kind, name }) => ({ kind, name }))
  const isPart = left.length > 0 && chosen.length > 0
  const part = useQuery(PromotionPlanDocument, { input: { ...ends, parts } }, !isPart)
  const valid = isPart ? part : whole
  const promote = useAction(PromoteDocument, (r) => {
    setDone(t('promote.promoted', { n: r.promote.plan.changes.length, name: target.name }))
    setLeft([])
    whole.reload()
    onPromoted()
  })
  const planAgain = () => {
    promote.clear()
    whole.reload()
    part.reload()
  }
  const ready = chosen.length > 0 && !valid.loading && !valid.error && !whole.loading
  return (
    <Card title={t('promote.whatDiffersNameAndName2', { name: target.name, name2: source.name })}>
      <Status>{done}</Status>
      {target.id !== here && (
        <p className="soft">
          {rich('promote.undoneThere', {
            list: (
              <a href={withEnvironment(`${location.origin}/dashboard/promote`, target.identifier)}>
                {t('promote.promotionsIntoEnvironment', { environment: target.name })}
              </a>
            ),
          })}
        </p>
      )}
      <Load of={whole}>
        {({ promotionPlan: plan }) =>
          plan.changes.length === 0 ? (
            <p>
              {only
                ? t('promote.holdsThese', { target: target.name })
                : t('promote.holdsAll', { target: target.name, source: source.name })}
            </p>
          ) : (
            <>
              <Check
                label={t('promote.alsoPromoteWhatTheyRefer')}
                value={withDependencies}
                onChange={setDependencies}
              />
              {plan.changes.map((c) => (
                <Difference
                  key={partKey(c)}
                  of={c}
                  source={source.name}
                  target={target.name}
                  on={!left.includes(partKey(c))}
                  onChange={(on) => setLeft(include(left, partKey(c), !on))}
                />
              ))}
              {isPart && <Failure error={part.error} />}
              {!valid.error && valid.data && <Notes of={valid.data.promotionPlan} />}
              <Failure error={promote.error} />
              {promote.error instanceof APIError && promote.error.code === 'CONFIGURATION_CHANGED' && (
                <Button icon={RotateCw} onClick={planAgain}>
                  {t('promote.planAgain')}
                </Button>
              )}
              <div className="row end">
                <Confirm
                  label={t('promote.promote')}
                  question={t('promote.promoteCountFromNameTo', {
                    n: chosen.length,
                    name: source.name,
                    name2: target.name,
                  })}
                  busy={!ready || promote.busy}
                  onConfirm={() =>
                    promote.run({
                      input: {
                        ...ends,
                        parts: isPart ? parts : only,
                        fingerprint: valid.data?.promotionPlan.fingerprint,
                      },
                    })
                  }
                />
              </div>
            </>
          )
        }
      </Load>
    </Card>
  )
}

const tones = { CREATE: 'good', UPDATE: 'wait', DELETE: 'bad' } as const

/** One resource that differs, its fields side by side. */
function Difference({
  of: c,
  source,
  target,
  on,
  onChange,
}: {
  of: Change
  source: string
  target: string
  on: boolean
  onChange: (on: boolean) => void
}) {
  const name = partName(c)
  return (
    <section className="stack" aria-label={name}>
      <div className="row">
        <Check label={name} value={on} onChange={onChange} />
        <Badge tone={tones[c.action]}>{words(c.action)}</Badge>
      </div>
      {c.fields.length > 0 && (
        <details open>
          <summary>
            {t('promote.fields', { n: c.fields.length })}
            <span className="hidden">{t('promote.ofName', { name })}</span>
          </summary>
          <Table
            label={t('promote.fieldsOfName', { name })}
            rows={c.fields}
            id={(f) => f.path}
            columns={[
              { name: t('promote.field'), cell: (f) => <code>{f.path}</code> },
              { name: t('promote.now', { target }), cell: (f) => <Side of={sideOf(f.words, 'ADDED')} /> },
              { name: t('promote.from', { source }), cell: (f) => <Side of={sideOf(f.words, 'REMOVED')} /> },
            ]}
          />
        </details>
      )}
    </section>
  )
}

/** One side of a compared text, with its own words marked. */
function Side({ of }: { of: readonly Piece[] }) {
  if (of.length === 0) return <span className="soft">–</span>
  return (
    <span className="words">
      {of.map((p, i) => {
        if (p.change === 'ADDED') return <ins key={i}>{p.text}</ins>
        if (p.change === 'REMOVED') return <del key={i}>{p.text}</del>
        return <span key={i}>{p.text}</span>
      })}
    </span>
  )
}

/** What is promoted beside what was chosen, and what is wrong with workflows all the same. */
function Notes({ of: plan }: { of: PlanOf }) {
  const along = plan.dependencies.filter((d) => d.included)
  return (
    <>
      {along.length > 0 && (
        <Note>
          {t('promote.alongWith')}
          <ul>
            {along.map((d) => (
              <li key={partKey(d)}>
                {t('promote.neededBy', { part: partName(d), others: d.neededBy.map(partName).join(', ') })}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {plan.issues.length > 0 && (
        <Note tone="wait">
          {t('promote.problems')}
          <ul>
            {plan.issues.map((issue, i) => (
              <li key={i}>
                {t(issue.stepId ? 'promote.issueOfStep' : 'promote.issue', {
                  workflow: issue.workflow,
                  step: issue.stepId ?? '',
                  message: issue.message,
                })}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  )
}

/** The promotions into the present environment, each of which can be undone. */
function History({ environment, onUndone }: { environment: string; onUndone: () => void }) {
  const pager = usePager()
  const query = useQuery(PromotionsDocument, pager.variables)
  const undo = useAction(UndoPromotionDocument, () => {
    query.reload()
    onUndone()
  })
  return (
    <Card title={t('promote.promotionsIntoEnvironment', { environment })}>
      <Failure error={undo.error} />
      <Load of={query}>
        {({ promotions }) => (
          <>
            <Table
              label={t('promote.promotions')}
              rows={promotions.nodes}
              id={(p) => p.id}
              empty={t('promote.nothingWasPromotedIntoThis')}
              columns={[
                { name: t('common.when'), cell: (p) => <Time at={p.createdAt} /> },
                { name: t('common.from'), cell: (p) => p.sourceIdentifier },
                {
                  name: t('promote.who'),
                  cell: (p) =>
                    p.actorType === 'API_KEY'
                      ? t('common.keyNamed', { name: p.actorName ?? '' })
                      : p.actorName || p.actorType,
                },
                {
                  name: t('promote.what'),
                  cell: (p) => (
                    <ul className="bare">
                      {p.resources.map((r) => (
                        <li key={`${r.kind} ${r.name}`}>{resourceText(r)}</li>
                      ))}
                    </ul>
                  ),
                },
                {
                  name: '',
                  cell: (p) => (
                    <span className="row">
                      {p.undoesId && <Badge>{t('promote.undoesAnEarlierOne')}</Badge>}
                      {p.undoneById ? (
                        <Badge tone="bad">{t('promote.undone')}</Badge>
                      ) : (
                        <May>
                          <Confirm
                            label={t('promote.undo')}
                            question={t('promote.restoreWhatEnvironmentHeldBefore', { environment })}
                            busy={undo.busy}
                            onConfirm={() => undo.run({ id: p.id })}
                          />
                        </May>
                      )}
                    </span>
                  ),
                },
              ]}
            />
            <Pager label={t('promote.promotions')} pager={pager} info={promotions.pageInfo} />
          </>
        )}
      </Load>
    </Card>
  )
}
