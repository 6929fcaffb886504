import { ArrowUpToLine, Columns2, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../button'
import { Filters } from '../conditions/builder'
import { Changeable, Select, Text, Within } from '../form'
import type { StepVariantInput, WorkflowStepInput } from '../gql'
import { removeAt } from '../lists'
import { Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { useAround } from './around'
import { ContentControls } from './content'
import { Preview } from './preview'
import { addVariant, variantAsStep, variantFirst } from './steps'
import { conditionText } from './summary'

type Props = {
  step: WorkflowStepInput
  shown: number
  afterDigest: boolean
  onShow: (at: number) => void
  onChange: (v: StepVariantInput[]) => void
}

/** Other contents of a step: the first whose conditions hold is sent instead of the step's own. */
export function Variants({ step, shown, afterDigest, onShow, onChange }: Props) {
  const variants = step.variants ?? []
  const variant = variants[shown]
  const [comparing, setComparing] = useState(false)
  const set = (change: Partial<StepVariantInput>) =>
    onChange(variants.map((v, i) => (i === shown ? { ...v, ...change } : v)))
  const add = () => {
    onChange(addVariant(step))
    onShow(variants.length)
  }
  const first = () => {
    onChange(variantFirst(variants, shown))
    onShow(0)
  }
  const remove = () => {
    onChange(removeAt(variants, shown))
    onShow(-1)
  }
  return (
    <>
      <div className="filters">
        {variants.length > 0 && (
          <Select
            label={t('common.content')}
            value={String(shown)}
            onChange={(v) => onShow(Number(v))}
            options={[
              { value: '-1', label: t('variants.stepContent') },
              ...variants.map((v, i) => ({ value: String(i), label: v.name || t('variants.variantN', { n: i + 1 }) })),
            ]}
          />
        )}
        <span className="row">
          {variants.length > 0 && (
            <Button icon={Columns2} onClick={() => setComparing(true)}>
              {t('common.compare')}
            </Button>
          )}
          <May>
            <Button icon={Plus} onClick={add}>
              {t('variants.addVariant')}
            </Button>
            {variant && shown > 0 && (
              <Button icon={ArrowUpToLine} onClick={first}>
                {t('variants.moveToTop')}
              </Button>
            )}
            {variant && (
              <Button icon={Trash2} look="danger" onClick={remove}>
                {t('variants.removeVariant')}
              </Button>
            )}
          </May>
        </span>
      </div>
      {comparing && <Compare step={step} afterDigest={afterDigest} onClose={() => setComparing(false)} />}
      {variant && (
        <Within path={`variants.${shown}`}>
          <Changeable>
            <Text
              label={t('variants.variantName')}
              at="name"
              value={variant.name ?? ''}
              onChange={(name) => set({ name })}
            />
            <Filters
              label={t('variants.sendWhen')}
              at="filters"
              filters={variant.filters}
              onChange={(filters) => set({ filters })}
              none={t('variants.none')}
            />
            <ContentControls of={variant} onChange={set} />
          </Changeable>
        </Within>
      )}
    </>
  )
}

/** All contents of a step beside each other, as they would be sent. */
function Compare({
  step,
  afterDigest,
  onClose,
}: {
  step: WorkflowStepInput
  afterDigest: boolean
  onClose: () => void
}) {
  const { payloadSchema, example, onExample } = useAround()
  const all = [undefined, ...(step.variants ?? [])]
  return (
    <Dialog title={t('variants.compareContents')} onClose={onClose}>
      <div className="beside">
        {all.map((variant, i) => (
          <section key={i} className="stack">
            <h3>{variant ? variant.name || t('variants.variantN', { n: i }) : t('variants.stepContent')}</h3>
            <p className="soft small">
              {variant
                ? variant.filters.length > 0
                  ? t('variants.if', { conditions: conditionText(variant.filters) })
                  : t('variants.ifNothingElse')
                : t('variants.otherwise')}
            </p>
            <Preview
              step={variantAsStep(step, variant)}
              payloadSchema={payloadSchema}
              digest={afterDigest}
              example={example}
              onExample={onExample}
              bare
            />
          </section>
        ))}
      </div>
    </Dialog>
  )
}
