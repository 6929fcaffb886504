import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../button'
import { type FieldError, variantWithError } from '../errors'
import { Changeable, Check, NumberField, Select, Text } from '../form'
import type { ReplyCallbackInput, UnknownPolicy, WorkflowStepInput } from '../gql'
import { May } from '../role'
import { Card } from '../ui'
import { ContentControls } from './content'
import { Filters } from './filters'
import { controlsOf, isChannelStep } from './kinds'
import { type Example, Preview } from './preview'
import { variantAsStep } from './steps'
import { Variants } from './variants'

type Props = {
  step: WorkflowStepInput
  onChange: (s: WorkflowStepInput) => void
  onMove: (by: number) => void
  onRemove: () => void
  first: boolean
  last: boolean
  payloadSchema?: unknown
  /** Whether a digest comes before it. */
  afterDigest: boolean
  example: Example
  onExample: (e: Example) => void
  wrong: readonly FieldError[]
}

/** One step, with what it would send beside it. */
export function StepEditor({
  step,
  onChange,
  onMove,
  onRemove,
  first,
  last,
  payloadSchema,
  afterDigest,
  example,
  onExample,
  wrong,
}: Props) {
  const [shown, setShown] = useState(-1) // which variant; -1: the step's own content
  useEffect(() => {
    if (wrong.length > 0) setShown(variantWithError(wrong))
  }, [wrong])
  const set = (change: Partial<WorkflowStepInput>) => onChange({ ...step, ...change })
  const variants = step.variants ?? []
  const channel = isChannelStep(step.type)
  return (
    <>
      <Card
        title={`Step: ${step.name || step.stepId}`}
        actions={
          <May>
            <Button icon={ArrowUp} disabled={first} onClick={() => onMove(-1)}>
              Move up
            </Button>
            <Button icon={ArrowDown} disabled={last} onClick={() => onMove(1)}>
              Move down
            </Button>
            <Button icon={Trash2} look="danger" onClick={onRemove}>
              Remove
            </Button>
          </May>
        }
      >
        <Changeable>
          <div className="filters">
            <Text label="Step name" at="name" value={step.name ?? ''} onChange={(name) => set({ name })} />
            <Text
              label="Step identifier"
              at="stepId"
              value={step.stepId ?? ''}
              onChange={(stepId) => set({ stepId })}
            />
          </div>
        </Changeable>
        {channel && <Variants step={step} shown={shown} onShow={setShown} onChange={(variants) => set({ variants })} />}
        {shown < 0 && (
          <Changeable>
            <ContentControls of={step} onChange={set} />
            {controlsOf(step, set)}
            <Filters
              label="Conditions of the step"
              at="filters"
              filters={step.filters ?? []}
              onChange={(filters) => set({ filters })}
            />
            <div className="row">
              <Check label="Step is active" value={step.active ?? true} onChange={(active) => set({ active })} />
              <Check
                label="Stop the run if this step fails"
                value={step.shouldStopOnFail ?? false}
                onChange={(shouldStopOnFail) => set({ shouldStopOnFail })}
              />
            </div>
            {channel && step.type !== 'IN_APP' && <Sending step={step} onChange={set} />}
          </Changeable>
        )}
      </Card>
      {channel && (
        <Preview
          step={variantAsStep(step, variants[shown])}
          payloadSchema={payloadSchema}
          digest={afterDigest}
          example={example}
          onExample={onExample}
        />
      )}
    </>
  )
}

/** What happens when sending does not go smoothly, and where answers go. */
function Sending({
  step,
  onChange,
}: {
  step: WorkflowStepInput
  onChange: (change: Partial<WorkflowStepInput>) => void
}) {
  const reply: ReplyCallbackInput = step.replyCallback ?? { active: false }
  return (
    <details>
      <summary>Sending</summary>
      <div className="stack">
        <div className="filters">
          <Select
            label="If the outcome is unknown"
            value={step.unknownOutcome ?? 'RETRY'}
            onChange={(v) => onChange({ unknownOutcome: v as UnknownPolicy })}
            options={[
              { value: 'RETRY', label: 'retry' },
              { value: 'STOP', label: 'stop' },
            ]}
          />
          <NumberField
            label="Deadline (seconds)"
            at="deadlineSeconds"
            value={step.deadlineSeconds}
            onChange={(deadlineSeconds) => onChange({ deadlineSeconds })}
            hint="If empty, the default of the channel."
          />
        </div>
        <Check
          label="If the outcome is unknown, allow failover (may send duplicates)"
          value={step.allowDuplicate ?? false}
          onChange={(allowDuplicate) => onChange({ allowDuplicate })}
        />
        {step.type === 'EMAIL' && (
          <>
            <Check
              label="Forward replies"
              value={reply.active ?? false}
              onChange={(active) => onChange({ replyCallback: active ? { ...reply, active } : undefined })}
            />
            {reply.active && (
              <Text
                label="Forward to (URL)"
                at="replyCallback.url"
                value={reply.url ?? ''}
                onChange={(url) => onChange({ replyCallback: { ...reply, url } })}
              />
            )}
          </>
        )}
      </div>
    </details>
  )
}
