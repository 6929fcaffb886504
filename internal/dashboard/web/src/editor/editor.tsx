import { Rocket, Save } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAction } from '../api'
import { Button } from '../button'
import { errorsByStep, type FieldError } from '../errors'
import { Field, showWrong, Within, WrongFields } from '../form'
import { SaveWorkflowDocument, type StepType, type WorkflowQuery, type WorkflowStepInput } from '../gql'
import { removeAt, replaceAt } from '../lists'
import { Issues } from '../pages/workflow-state'
import { May } from '../role'
import { Badge, Card, Failure, Status } from '../ui'
import { useUnsaved } from '../unsaved'
import { words } from '../words'
import { toInput } from './definition'
import { addStep, stepTypes } from './kinds'
import type { Example } from './preview'
import { PayloadSchema } from './schema'
import { Settings } from './settings'
import { Source } from './source'
import { StepEditor } from './step'
import { isAfterDigest, moveStep } from './steps'

type Workflow = WorkflowQuery['workflowByReference']

/** The draft of a workflow: its steps, its payload, its settings. */
export function Editor({ w, reload }: { w: Workflow; reload: () => void }) {
  const [about, setAbout] = useState(() => ({ name: w.name, description: w.description, definition: toInput(w.draft) }))
  const [chosen, setChosen] = useState(0)
  const [turn, setTurn] = useState(0) // grows when the definition comes from elsewhere than the fields
  const [example, setExample] = useState<Example>({ payload: '', subscriberId: '', digestItems: 2 })
  const [notice, setNotice] = useState('')
  const stored = useUnsaved(about)
  const save = useAction(SaveWorkflowDocument, ({ updateWorkflow: saved }) => {
    setNotice(saved.publishedNumber > w.publishedNumber ? `Published as version ${saved.publishedNumber}.` : 'Saved.')
    const next = { name: saved.name, description: saved.description, definition: toInput(saved.draft) }
    setAbout(next)
    stored(next)
    setTurn((n) => n + 1)
    reload()
  })
  const submit = (publish: boolean) => {
    setNotice('')
    void save.run({ input: { id: w.id, ...about, publish } })
  }
  const wrong = useMemo(() => errorsByStep(save.error), [save.error])
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer moves to another step.
  useEffect(() => {
    const [first] = wrong.keys()
    if (first !== undefined && !wrong.has(chosen)) setChosen(first)
    // The step that is wrong, or its variant, is shown first.
    const timer = setTimeout(() => showWrong(place.current))
    return () => clearTimeout(timer)
  }, [wrong])
  const { definition } = about
  const steps = definition.steps
  const setSteps = (steps: WorkflowStepInput[]) => {
    setNotice('')
    setAbout({ ...about, definition: { ...definition, steps } })
  }
  const step = steps[chosen]
  const move = (by: number) => {
    setSteps(moveStep(steps, chosen, by))
    setChosen(chosen + by)
  }
  const remove = () => {
    setSteps(removeAt(steps, chosen))
    setChosen(Math.max(0, chosen - 1))
    setTurn(turn + 1)
  }
  const add = (type: StepType) => {
    setSteps(addStep(steps, type))
    setChosen(steps.length)
  }
  return (
    <>
      <Issues of={w.issues} />
      <Failure error={save.error} />
      <Status>{!save.error && notice}</Status>
      <May>
        <div className="row end">
          <Button icon={Save} disabled={save.busy} onClick={() => submit(false)}>
            Save draft
          </Button>
          <Button icon={Rocket} look="primary" disabled={save.busy} onClick={() => submit(true)}>
            Publish
          </Button>
        </div>
      </May>
      <Card title="Steps">
        {steps.length === 0 && <p className="soft">No steps yet.</p>}
        <ol className="row steps">
          {steps.map((s, i) => (
            <li key={i}>
              <Button aria-pressed={i === chosen} look={i === chosen ? 'primary' : ''} onClick={() => setChosen(i)}>
                {s.name || s.stepId} · {words(s.type)}
              </Button>{' '}
              {s.active === false && <Badge>off</Badge>} {wrong.has(i) && <Badge tone="bad">has errors</Badge>}
            </li>
          ))}
        </ol>
        <May>
          <Field label="Add a step">
            {(said) => (
              <select value="" onChange={(e) => add(e.target.value as StepType)} {...said}>
                <option value="">Select a type …</option>
                {stepTypes.map((t) => (
                  <option key={t} value={t}>
                    {words(t)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </May>
      </Card>
      <WrongFields error={save.error}>
        <div className="cols" key={turn} ref={place} inert={save.busy}>
          {step && (
            <Within path={`definition.steps.${chosen}`}>
              <StepEditor
                key={step.id ?? `new ${chosen}`}
                step={step}
                onChange={(changed) => setSteps(replaceAt(steps, chosen, changed))}
                onMove={move}
                onRemove={remove}
                payloadSchema={definition.payloadSchema}
                afterDigest={isAfterDigest(steps, chosen)}
                example={example}
                onExample={setExample}
                first={chosen === 0}
                last={chosen === steps.length - 1}
                wrong={wrong.get(chosen) ?? right}
              />
            </Within>
          )}
          <Settings of={about} onChange={(change) => setAbout({ ...about, ...change })} />
          <PayloadSchema
            schema={definition.payloadSchema}
            validate={definition.validatePayload ?? false}
            onChange={(payloadSchema, validatePayload) =>
              setAbout({ ...about, definition: { ...definition, payloadSchema, validatePayload } })
            }
          />
          <Source
            definition={definition}
            onChange={(definition) => {
              setAbout({ ...about, definition })
              setTurn(turn + 1)
            }}
          />
        </div>
      </WrongFields>
    </>
  )
}

const right: readonly FieldError[] = []
