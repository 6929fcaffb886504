import { useEffect, useState } from 'react'
import { Filters } from '../conditions/builder'
import { type FieldError, variantWithError } from '../errors'
import { Changeable, Check, NumberField, Select, Text } from '../form'
import type { ReplyCallbackInput, UnknownPolicy, WorkflowStepInput } from '../gql'
import { t } from '../text/text'
import { useAround } from './around'
import { ContentControls } from './content'
import { controlsOf, isChannelStep } from './kinds'
import { Preview } from './preview'
import { Sections } from './section'
import { sectionOf, variantAsStep } from './steps'
import { Variants } from './variants'

type Props = {
  step: WorkflowStepInput
  onChange: (s: WorkflowStepInput) => void
  /** Whether a digest comes before it. */
  afterDigest: boolean
  wrong: readonly FieldError[]
  section: string
  onSection: (name: string) => void
}

/** One step, with what it would send beside it. */
export function StepPanel({ step, onChange, afterDigest, wrong, section, onSection }: Props) {
  const [shown, setShown] = useState(-1) // which variant; -1: the step's own content
  const { payloadSchema, example, onExample } = useAround()
  const first = wrong[0]?.path
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another error moves to another section.
  useEffect(() => {
    if (first === undefined) return
    setShown(variantWithError([{ path: first, message: '' }]))
    onSection(sectionOf(first))
  }, [first])
  const set = (change: Partial<WorkflowStepInput>) => onChange({ ...step, ...change })
  const variants = step.variants ?? []
  const channel = isChannelStep(step.type)
  const isWrong = (name: string) => wrong.some((f) => sectionOf(f.path) === name)
  const content = () => (
    <div className="content-and-preview">
      <div className="stack">
        {channel && (
          <Variants
            step={step}
            shown={shown}
            afterDigest={afterDigest}
            onShow={setShown}
            onChange={(variants) => set({ variants })}
          />
        )}
        {shown < 0 && (
          <Changeable>
            <ContentControls of={step} onChange={set} />
            {controlsOf(step, set)}
          </Changeable>
        )}
      </div>
      {channel && (
        <Preview
          step={variantAsStep(step, variants[shown])}
          payloadSchema={payloadSchema}
          digest={afterDigest}
          example={example}
          onExample={onExample}
        />
      )}
    </div>
  )
  return (
    <Sections
      label={t('word.STEP')}
      current={section}
      onChoose={onSection}
      sections={[
        { id: 'Content', name: t('common.content'), wrong: isWrong('Content'), content },
        {
          id: 'Conditions',
          name: t('common.conditions'),
          wrong: isWrong('Conditions'),
          content: () => (
            <Changeable>
              <Filters
                label={t('step.conditionsOfTheStep')}
                at="filters"
                filters={step.filters ?? []}
                onChange={(filters) => set({ filters })}
              />
            </Changeable>
          ),
        },
        {
          id: 'Settings',
          name: t('common.settings'),
          wrong: isWrong('Settings'),
          content: () => (
            <Changeable>
              <div className="filters">
                <Text label={t('step.stepName')} at="name" value={step.name ?? ''} onChange={(name) => set({ name })} />
                <Text
                  label={t('step.stepIdentifier')}
                  at="stepId"
                  value={step.stepId ?? ''}
                  onChange={(stepId) => set({ stepId })}
                />
              </div>
              <Check
                label={t('step.stepIsActive')}
                value={step.active ?? true}
                onChange={(active) => set({ active })}
              />
              <Check
                label={t('step.stopTheRunIfThis')}
                value={step.shouldStopOnFail ?? false}
                onChange={(shouldStopOnFail) => set({ shouldStopOnFail })}
              />
              {channel && step.type !== 'IN_APP' && <Sending step={step} onChange={set} />}
            </Changeable>
          ),
        },
      ]}
    />
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
    <fieldset>
      <legend>{t('step.sending')}</legend>
      <div className="filters">
        <Select
          label={t('step.ifTheOutcomeIsUnknown')}
          value={step.unknownOutcome ?? 'RETRY'}
          onChange={(v) => onChange({ unknownOutcome: v as UnknownPolicy })}
          options={[
            { value: 'RETRY', label: t('step.retry') },
            { value: 'STOP', label: t('step.stop') },
          ]}
        />
        <NumberField
          label={t('step.deadlineSeconds')}
          at="deadlineSeconds"
          value={step.deadlineSeconds}
          onChange={(deadlineSeconds) => onChange({ deadlineSeconds })}
          hint={t('step.ifEmptyTheDefaultOf')}
        />
      </div>
      <Check
        label={t('step.ifTheOutcomeIsUnknown2')}
        value={step.allowDuplicate ?? false}
        onChange={(allowDuplicate) => onChange({ allowDuplicate })}
      />
      {step.type === 'EMAIL' && (
        <>
          <Check
            label={t('step.forwardReplies')}
            value={reply.active ?? false}
            onChange={(active) => onChange({ replyCallback: active ? { ...reply, active } : undefined })}
          />
          {reply.active && (
            <Text
              label={t('step.forwardToURL')}
              at="replyCallback.url"
              value={reply.url ?? ''}
              onChange={(url) => onChange({ replyCallback: { ...reply, url } })}
            />
          )}
        </>
      )}
    </fieldset>
  )
}
