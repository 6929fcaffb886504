import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAction, useQuery } from '../api'
import {
  AdvanceClockDocument, ClockDocument, DeleteWorkflowDocument, ExplainDocument, ResetClockDocument, SaveWorkflowDocument, SetWorkflowActiveDocument,
  TriggerDocument, VersionDocument, VersionsDocument, WorkflowDocument, type ExplainQuery, type Severity, type StepType, type WorkflowDefinitionInput, type WorkflowQuery, type WorkflowStepInput,
} from '../gql'
import { request } from '../api'
import { Badge, Card, Check, Confirm, Failure, Field, Load, Mail, Page, Pager, Select, Switch, Table, Tabs, Text, Time, parseJSON, usePager, words } from '../ui'
import { diff, newStep, toInput } from './definition'
import { Preview } from './preview'
import { Filters, StepControls } from './step'
import { workflowTones } from './workflows'

export const stepTypes: StepType[] = ['IN_APP', 'EMAIL', 'SMS', 'CHAT', 'PUSH', 'DIGEST', 'DELAY', 'THROTTLE', 'TRIGGER', 'CUSTOM']
export const sends = new Set<StepType>(['IN_APP', 'EMAIL', 'SMS', 'CHAT', 'PUSH'])

type Workflow = WorkflowQuery['workflowByReference']

export function WorkflowPage({ reference, tab }: { reference: string; tab: string }) {
  const query = useQuery(WorkflowDocument, { reference })
  const [, go] = useLocation()
  const toggle = useAction(SetWorkflowActiveDocument, query.reload)
  const remove = useAction(DeleteWorkflowDocument, () => go('/workflows'))
  const base = `/workflows/${encodeURIComponent(reference)}`
  return (
    <Load of={query}>
      {({ workflowByReference: w }) => (
        <Page
          title={w.name}
          actions={
            <>
              <Badge tone={workflowTones[w.status]}>{words(w.status)}</Badge>
              <Switch label="Workflow is switched on" on={w.active} busy={toggle.busy} onChange={(active) => toggle.run({ id: w.id, active })} />
              <Confirm label="Delete" question={`Delete the workflow ${w.name}? Triggers that name it will be refused.`} onConfirm={() => remove.run({ id: w.id })} busy={remove.busy} />
            </>
          }
        >
          <Failure error={toggle.error ?? remove.error} />
          <Tabs label="Workflow" current={tab} tabs={[['Editor', base], ['Test', `${base}/test`], ['Versions', `${base}/versions`]]} />
          {tab === 'Editor' && <Editor w={w} reload={query.reload} key={`${w.id} ${w.publishedNumber}`} />}
          {tab === 'Test' && <Test w={w} />}
          {tab === 'Versions' && <Versions reference={reference} onRestored={query.reload} id={w.id} />}
        </Page>
      )}
    </Load>
  )
}

function Editor({ w, reload }: { w: Workflow; reload: () => void }) {
  const [definition, setDefinition] = useState<WorkflowDefinitionInput>(() => toInput(w.draft))
  const [name, setName] = useState(w.name)
  const [description, setDescription] = useState(w.description)
  const [tags, setTags] = useState(w.draft.tags?.join(', ') ?? '')
  const [chosen, setChosen] = useState(0)
  const [told, setTold] = useState('')
  const save = useAction(SaveWorkflowDocument, (r) => {
    setTold(r.updateWorkflow.publishedNumber > w.publishedNumber ? `Published as version ${r.updateWorkflow.publishedNumber}.` : 'Saved.')
    reload()
  })
  const submit = (publish: boolean) => save.run({ input: { id: w.id, name, description, definition, publish } })
  const steps = definition.steps as WorkflowStepInput[]
  const setSteps = (steps: WorkflowStepInput[]) => {
    setTold('')
    setDefinition({ ...definition, steps })
  }
  const step = steps[chosen]
  const setStep = (changed: WorkflowStepInput) => setSteps(steps.map((s, i) => (i === chosen ? changed : s)))
  const move = (by: number) => {
    const other = chosen + by
    setSteps(steps.map((s, i) => (i === chosen ? steps[other]! : i === other ? steps[chosen]! : s)))
    setChosen(other)
  }
  return (
    <>
      {w.issues.length > 0 && (
        <div className="note wait">
          <strong>The draft has issues.</strong>
          <ul>
            {w.issues.map((issue, i) => (
              <li key={i}>
                {issue.stepId && <code>{issue.stepId}</code>} {issue.message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Failure error={save.error} />
      <div role="status">{told && !save.error && <div className="note good">{told}</div>}</div>
      <div className="row end">
        <button disabled={save.busy} onClick={() => submit(false)}>
          Save draft
        </button>
        <button className="main" disabled={save.busy} onClick={() => submit(true)}>
          Publish
        </button>
      </div>
      <div className="cols">
        <Card title="Steps">
          {steps.length === 0 && <p className="soft">No step yet.</p>}
          <ol className="stack" style={{ margin: 0, paddingLeft: '1.3rem' }}>
            {steps.map((s, i) => (
              <li key={i}>
                <button aria-pressed={i === chosen} className={i === chosen ? 'main' : ''} onClick={() => setChosen(i)}>
                  {s.name || s.stepId} · {words(s.type)}
                </button>{' '}
                {s.active === false && <Badge>off</Badge>}
              </li>
            ))}
          </ol>
          <Field label="Add a step">
            <select
              value=""
              onChange={(e) => {
                setSteps([...steps, newStep(e.target.value as StepType, steps.map((s) => s.stepId ?? ''))])
                setChosen(steps.length)
              }}
            >
              <option value="">Choose its type …</option>
              {stepTypes.map((t) => (
                <option key={t} value={t}>
                  {words(t)}
                </option>
              ))}
            </select>
          </Field>
        </Card>
        {step && (
          <Card
            title={`Step: ${step.name || step.stepId}`}
            actions={
              <>
                <button disabled={chosen === 0} onClick={() => move(-1)}>
                  Move up
                </button>
                <button disabled={chosen === steps.length - 1} onClick={() => move(1)}>
                  Move down
                </button>
                <button
                  className="danger"
                  onClick={() => {
                    setSteps(steps.filter((_, i) => i !== chosen))
                    setChosen(Math.max(0, chosen - 1))
                  }}
                >
                  Remove
                </button>
              </>
            }
          >
            <div className="filters">
              <Text label="Step name" value={step.name ?? ''} onChange={(name) => setStep({ ...step, name })} />
              <Text label="Step identifier" value={step.stepId ?? ''} onChange={(stepId) => setStep({ ...step, stepId })} />
            </div>
            <StepControls step={step} onChange={setStep} />
            <Filters label="Conditions of the step" filters={step.filters ?? []} onChange={(filters) => setStep({ ...step, filters })} />
            <div className="row">
              <Check label="Step is active" value={step.active ?? true} onChange={(active) => setStep({ ...step, active })} />
              <Check label="Stop the run when it fails" value={step.shouldStopOnFail ?? false} onChange={(shouldStopOnFail) => setStep({ ...step, shouldStopOnFail })} />
            </div>
          </Card>
        )}
        {step && sends.has(step.type) && <Preview step={step} />}
        <Card title="Workflow">
          <Text label="Name" value={name} onChange={setName} />
          <Text label="Description" value={description} onChange={setDescription} />
          <Select label="Severity" value={definition.severity ?? 'NONE'} onChange={(severity) => setDefinition({ ...definition, severity: severity as Severity })} options={['NONE', 'LOW', 'MEDIUM', 'HIGH']} />
          <Text label="Tags" hint="Separated by commas." value={tags} onChange={(text) => {
            setTags(text)
            setDefinition({ ...definition, tags: text.split(',').map((t) => t.trim()).filter(Boolean) })
          }} />
          <Check label="Critical: subscribers cannot switch it off" value={definition.critical ?? false} onChange={(critical) => setDefinition({ ...definition, critical })} />
          <Check label="Hold messages until the subscriber's hours open" value={definition.holdUntilOpen ?? false} onChange={(holdUntilOpen) => setDefinition({ ...definition, holdUntilOpen })} />
          <Filters label="Conditions of the workflow" filters={definition.conditions ?? []} onChange={(conditions) => setDefinition({ ...definition, conditions })} />
        </Card>
        <Source definition={definition} onChange={setDefinition} />
      </div>
    </>
  )
}

/** The whole draft as JSON, for what has no field of its own, such as variants. */
function Source({ definition, onChange }: { definition: WorkflowDefinitionInput; onChange: (d: WorkflowDefinitionInput) => void }) {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<Error>()
  const apply = () => {
    try {
      onChange(parseJSON(text ?? '', 'The definition') as WorkflowDefinitionInput)
      setText(undefined)
      setError(undefined)
    } catch (e) {
      setError(e as Error)
    }
  }
  return (
    <Card title="Definition as JSON" actions={text === undefined ? <button onClick={() => setText(JSON.stringify(definition, null, 2))}>Edit as JSON</button> : <button onClick={apply}>Take over</button>}>
      <p className="soft small">For what has no field of its own, such as variants, timed digests and the payload’s schema.</p>
      <Failure error={error} />
      {text !== undefined && <Text label="Definition" lines={20} value={text} onChange={setText} />}
    </Card>
  )
}

function Test({ w }: { w: Workflow }) {
  const [subscriber, setSubscriber] = useState('test-subscriber')
  const [payload, setPayload] = useState('{}')
  const [error, setError] = useState<Error>()
  const [explained, setExplained] = useState<ExplainQuery['explain']>()
  const [transaction, setTransaction] = useState('')
  const [busy, setBusy] = useState(false)
  const attempt = async (work: (input: { name: string; to: { subscriberId: string }[]; payload: never }) => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    setTransaction('')
    try {
      await work({ name: w.identifier, to: [{ subscriberId: subscriber }], payload: parseJSON(payload, 'The payload') as never })
    } catch (e) {
      setError(e as Error)
    }
    setBusy(false)
  }
  const explain = () => attempt(async (input) => setExplained((await request(ExplainDocument, { input })).explain))
  const trigger = () =>
    attempt(async (input) => {
      const { triggerEvent: r } = await request(TriggerDocument, { input })
      if (r.status !== 'PROCESSED') throw new Error(`${words(r.status)}. ${r.error?.join(' ') ?? ''}`)
      setTransaction(r.transactionId ?? '')
    })
  return (
    <>
      {w.publishedNumber === 0 && <div className="note wait">Only published workflows run. Publish the draft first.</div>}
      <div className="cols">
        <Card title="Test run">
          <Text label="Subscriber" value={subscriber} onChange={setSubscriber} />
          <Text label="Payload (JSON)" lines={6} value={payload} onChange={setPayload} />
          <Failure error={error} />
          <div className="row">
            <button disabled={busy} onClick={explain}>
              Explain
            </button>
            <button className="main" disabled={busy} onClick={trigger}>
              Trigger
            </button>
          </div>
          <p className="soft small">Explain tells what would happen and sends nothing. Trigger sends.</p>
          <div role="status">
            {transaction && (
              <div className="note good">
                Accepted as <code>{transaction}</code>. <Link href={`/activity?transaction=${encodeURIComponent(transaction)}`}>Follow it</Link>
              </div>
            )}
          </div>
        </Card>
        <Clock />
        {explained && <Explanation of={explained} />}
      </div>
    </>
  )
}

function Explanation({ of }: { of: ExplainQuery['explain'] }) {
  return (
    <Card title="What would happen" actions={<Badge>{words(of.status)}</Badge>}>
      {of.error?.map((e) => <p key={e}>{e}</p>)}
      {of.recipients.map((r) => (
        <div className="stack" key={r.subscriberId}>
          <h3>
            {r.subscriberId} {r.created && <Badge>would be created</Badge>}
          </h3>
          <ol className="timeline">
            {r.steps.map((s, i) => (
              <li key={i} className={s.decision === 'SEND' ? 'good' : s.decision === 'WAIT' ? 'wait' : ''}>
                <div className="row">
                  <Badge>{words(s.decision)}</Badge>
                  {s.stepId && <code>{s.stepId}</code>}
                  <span className="soft">{words(s.reason)}</span>
                </div>
                {s.detail && <div>{s.detail}</div>}
                {s.condition && <pre tabIndex={0}>{s.condition.text}</pre>}
                {s.message && (
                  <div>
                    through {s.message.integration} to {s.message.to.join(', ') || r.subscriberId}: {s.message.subject && <strong>{s.message.subject}</strong>}
                    {s.message.content?.html ? <Mail html={s.message.content.html} title={`Mail of ${s.stepId}`} /> : <pre tabIndex={0}>{s.message.content?.text}</pre>}
                  </div>
                )}
                <div className="soft small">
                  <Time at={s.at} />
                </div>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </Card>
  )
}

function Clock() {
  const query = useQuery(ClockDocument, {})
  const advance = useAction(AdvanceClockDocument, query.reload)
  const reset = useAction(ResetClockDocument, query.reload)
  return (
    <Card title="Clock">
      <Load of={query}>
        {({ environmentClock: c }) => (
          <>
            <p>
              <Time at={c.now} /> {c.stands && <Badge tone="wait">stands</Badge>}
            </p>
            {c.virtual ? (
              <div className="row">
                {[['1 minute', 'PT1M'], ['1 hour', 'PT1H'], ['1 day', 'P1D'], ['1 week', 'P7D']].map(([name, by]) => (
                  <button key={by} disabled={advance.busy} onClick={() => advance.run({ by: by! })}>
                    Forward {name}
                  </button>
                ))}
                <button disabled={reset.busy || !c.stands} onClick={() => reset.run({})}>
                  Real time
                </button>
              </div>
            ) : (
              <p className="soft small">This environment has the real clock. It can be moved in development environments of a server with CARILLON_CLOCK=virtual.</p>
            )}
            <Failure error={advance.error ?? reset.error} />
          </>
        )}
      </Load>
    </Card>
  )
}

function Versions({ reference, id, onRestored }: { reference: string; id: string; onRestored: () => void }) {
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
              <button disabled={busy || !changed} onClick={() => onRestore(toInput(v.definition))}>
                Make version {v.number} the draft
              </button>
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
