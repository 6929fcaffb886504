import { Redo2, Rocket, Undo2, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useQuery } from '../api'
import { Button, IconButton } from '../button'
import { APIError, errorsByStep, type FieldError } from '../errors'
import { showWrong, Within, WrongFields } from '../form'
import { StepStatisticsDocument, type StepType, type WorkflowQuery, type WorkflowStepInput } from '../gql'
import { removeAt, replaceAt } from '../lists'
import { Dialog } from '../overlay'
import { part } from '../part'
import { May, ReadOnly } from '../role'
import { useSteady } from '../steady'
import { t } from '../text/text'
import { Failure } from '../ui'
import { type Around, AroundContext } from './around'
import type { LineActions } from './card'
import type { Draft } from './draft'
import { addStep, iconOf } from './kinds'
import type { LineProps } from './line-props'
import type { Example } from './preview'
import { StepPanel } from './step'
import { StepList } from './step-list'
import { duplicateStep, isAfterDigest, moveStep } from './steps'
import { useNarrow } from './width'

type Workflow = WorkflowQuery['workflowByReference']

const Canvas = part(
  () => import('./canvas').then((m) => m.default),
  (line) => <StepList {...line} />,
)
const loadPanel = () => import('./workflow-panel').then((m) => m.WorkflowPanel)
const WorkflowPanel = part(loadPanel)
const Publish = part(
  () => import('./publish').then((m) => m.Publish),
  () => null,
)

/** What the panel shows: a step by its position, the workflow as a whole, or nothing. */
type Chosen = number | 'workflow' | undefined

/** The draft of a workflow: its steps on a canvas, what is chosen in a panel beside it. It is saved while it is edited. */
export function Editor({ w, draft }: { w: Workflow; draft: Draft }) {
  const { about, set, save, notice } = draft
  const { definition } = about
  const { steps } = definition
  const narrow = useNarrow()
  const [chosen, setChosen] = useState<Chosen>(() => (narrow ? undefined : steps.length > 0 ? 0 : 'workflow'))
  const [section, setSection] = useState('') // of the panel; '' is its first one
  const [turn, setTurn] = useState(0) // grows when the panel shows another step
  const [example, setExample] = useState<Example>({ payload: '', subscriberId: '', digestItems: 2 })
  const [reviewing, setReviewing] = useState(false)
  const statistics = useQuery(StepStatisticsDocument, { reference: w.identifier }).data?.workflowByReference
    .stepStatistics
  const setSteps = (steps: WorkflowStepInput[]) => set({ ...about, definition: { ...definition, steps } })
  const show = (next: Chosen) => {
    setChosen(next)
    setSection('')
    setTurn((n) => n + 1)
  }
  const place = useRef<HTMLDivElement>(null)
  const actions = useSteady<LineActions>({
    choose: show,
    add: (type: StepType, at: number) => {
      setSteps(addStep(steps, type, at))
      show(at)
    },
    move: (from, to) => {
      if (to < 0 || to >= steps.length) return
      setSteps(moveStep(steps, from, to))
      if (typeof chosen === 'number') setChosen(moveStep(steps, from, to).indexOf(steps[chosen]!))
    },
    duplicate: (at) => {
      setSteps(duplicateStep(steps, at))
      show(at + 1)
    },
    toggle: (at) => setSteps(replaceAt(steps, at, { ...steps[at]!, active: steps[at]!.active === false })),
    remove: (at) => {
      setSteps(removeAt(steps, at))
      if (chosen === at) show(narrow || steps.length === 1 ? undefined : Math.max(0, at - 1))
      else if (typeof chosen === 'number' && chosen > at) setChosen(chosen - 1)
      setTimeout(() => {
        if (document.activeElement === document.body)
          place.current?.querySelectorAll<HTMLElement>('.step-main')[at]?.focus()
      }) // once the card has gone with the focus: on the one before, of which the trigger is the first
    },
  })
  useEffect(() => void loadPanel().catch(() => {}), []) // so that it is there when it is wanted
  useUndoKeys((back) => (back ? draft.undo?.() : draft.redo?.()))
  const wrong = useMemo(() => errorsByStep(save.error), [save.error])
  const review = async () => {
    setReviewing(true)
    if (await save.flush()) return
    setReviewing(false)
    showFirst()
  }
  /** Shows the first field that is wrong, once the errors are on the page. */
  const showFirst = () =>
    setTimeout(() => {
      const [first] = latestWrong.current.keys()
      show(first ?? 'workflow')
      setTimeout(() => showWrong(document.querySelector('.panel')))
    })
  const latestWrong = useRef(wrong)
  latestWrong.current = wrong
  const cards: LineProps['cards'] = useMemo(
    () =>
      steps.map((step, i) => ({
        step,
        chosen: chosen === i,
        wrong: wrong.has(i),
        figures: statistics?.steps.find((f) => f.stepId === step.stepId),
      })),
    [steps, chosen, wrong, statistics],
  )
  const line: LineProps = {
    identifier: w.identifier,
    cards,
    whole: chosen === 'workflow',
    onWhole: () => show('workflow'),
    actions,
  }
  const step = typeof chosen === 'number' ? steps[chosen] : undefined
  const earlier = useMemo(() => (typeof chosen === 'number' ? steps.slice(0, chosen) : []), [steps, chosen])
  const issues = useMemo(() => w.issues.filter((issue) => issue.stepId === step?.stepId), [w.issues, step?.stepId])
  const around: Around = {
    workflow: w.identifier,
    payloadSchema: definition.payloadSchema,
    earlier,
    issues,
    example,
    onExample: setExample,
  }
  const panel =
    step && typeof chosen === 'number' ? (
      <Within path={`definition.steps.${chosen}`}>
        <StepPanel
          key={turn}
          step={step}
          onChange={(changed) => setSteps(replaceAt(steps, chosen, changed))}
          afterDigest={isAfterDigest(steps, chosen)}
          wrong={wrong.get(chosen) ?? right}
          section={section}
          onSection={setSection}
        />
      </Within>
    ) : chosen === 'workflow' ? (
      <WorkflowPanel
        key={turn}
        of={about}
        onChange={set}
        issues={w.issues}
        error={save.error}
        section={section}
        onSection={setSection}
      />
    ) : undefined
  const title = step ? step.name || step.stepId || t('word.STEP') : t('common.workflow')
  const Icon = step && iconOf(step.type)
  return (
    <AroundContext value={around}>
      <WrongFields error={save.error}>
        <div className={panel && !narrow ? 'editor' : 'editor alone'} ref={place} data-editor>
          <div className="editor-bar">
            <May>
              <IconButton
                icon={Undo2}
                label={t('editor.undoCtrlZ')}
                disabled={!draft.undo}
                onClick={() => draft.undo?.()}
              />
              <IconButton
                icon={Redo2}
                label={t('editor.redoCtrlShiftZ')}
                disabled={!draft.redo}
                onClick={() => draft.redo?.()}
              />
            </May>
            <span className={save.state === 'failed' ? 'bad' : 'soft'} role="status">
              {notice || stateText(save)}
            </span>
            <ReadOnly />
            {statistics && statistics.notifications > 0 && !narrow && (
              <span className="soft small push-end">
                {t(statistics.capped ? 'editor.figuresCapped' : 'editor.figures', { n: statistics.notifications })}
              </span>
            )}
            <May>
              <Button icon={Rocket} look="primary" onClick={review}>
                {t('common.publish')}
              </Button>
            </May>
          </div>
          {save.error && !save.conflict && !hasPlace(save.error) && <Failure error={save.error} />}
          <section className="editor-line" aria-label={t('editor.steps')}>
            {narrow ? <StepList {...line} /> : <Canvas {...line} />}
          </section>
          {panel && !narrow && (
            <section className="panel" aria-label={title}>
              <div className="panel-head">
                {Icon && <Icon aria-hidden className="icon" />}
                <h2>{title}</h2>
                <IconButton icon={X} label={t('editor.closeThePanel')} onClick={() => show(undefined)} />
              </div>
              {panel}
            </section>
          )}
        </div>
        {panel && narrow && (
          <Dialog title={title} onClose={() => show(undefined)}>
            <div className="panel" data-editor>
              {panel}
            </div>
          </Dialog>
        )}
        {reviewing && (
          <Publish
            w={w}
            draft={about}
            ready={save.state === 'saved'}
            onPublish={async () => {
              const done = await save.flush(true)
              setReviewing(false)
              if (!done) showFirst()
            }}
            onClose={() => setReviewing(false)}
          />
        )}
      </WrongFields>
    </AroundContext>
  )
}

const right: readonly FieldError[] = []

/** Reports whether the fields of the page say what is wrong: there is none of the steps as a whole. */
const hasPlace = (error: Error) =>
  error instanceof APIError && error.fields.length > 0 && error.fields.every((f) => f.path !== 'definition.steps')

function stateText({ state, fields, conflict }: { state: string; fields: number; conflict: boolean }): string {
  if (state === 'saved') return t('editor.saved')
  if (state !== 'failed') return t('editor.saving')
  if (fields > 0) return t('editor.toCorrect', { n: fields })
  return conflict ? t('editor.notSaved') : t('editor.retrying')
}

/** Calls back with whether to undo or to redo, when the keys for it are pressed in the editor or nowhere. */
function useUndoKeys(go: (back: boolean) => void) {
  const latest = useRef(go)
  latest.current = go
  useEffect(() => {
    const listen = (e: KeyboardEvent) => {
      if (!(e.ctrlKey || e.metaKey) || e.altKey || e.defaultPrevented) return
      const name = e.key.toLowerCase()
      if (name !== 'z' && !(name === 'y' && !e.shiftKey)) return
      const target = e.target as Element
      if (target !== document.body && !target.closest('[data-editor]')) return
      e.preventDefault()
      latest.current(name === 'z' && !e.shiftKey)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
