import { ArrowUpToLine, Plus, Trash2 } from 'lucide-react'
import { Button } from '../button'
import { Changeable, Select, Text, Within } from '../form'
import type { StepVariantInput, WorkflowStepInput } from '../gql'
import { removeAt } from '../lists'
import { May } from '../role'
import { ContentControls } from './content'
import { Filters } from './filters'
import { addVariant, variantFirst } from './steps'

type Props = {
  step: WorkflowStepInput
  shown: number
  onShow: (at: number) => void
  onChange: (v: StepVariantInput[]) => void
}

/** Other contents of a step: the first whose conditions hold is sent instead of the step's own. */
export function Variants({ step, shown, onShow, onChange }: Props) {
  const variants = step.variants ?? []
  const variant = variants[shown]
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
            label="Content"
            value={String(shown)}
            onChange={(v) => onShow(Number(v))}
            options={[
              { value: '-1', label: 'Step content' },
              ...variants.map((v, i) => ({ value: String(i), label: v.name || `Variant ${i + 1}` })),
            ]}
          />
        )}
        <May>
          <span className="row">
            <Button icon={Plus} onClick={add}>
              Add variant
            </Button>
            {variant && shown > 0 && (
              <Button icon={ArrowUpToLine} onClick={first}>
                Move to top
              </Button>
            )}
            {variant && (
              <Button icon={Trash2} look="danger" onClick={remove}>
                Remove variant
              </Button>
            )}
          </span>
        </May>
      </div>
      {variant && (
        <Within path={`variants.${shown}`}>
          <Changeable>
            <Text label="Variant name" at="name" value={variant.name ?? ''} onChange={(name) => set({ name })} />
            <Filters
              label="Send when"
              at="filters"
              filters={variant.filters}
              onChange={(filters) => set({ filters })}
              none="No conditions: always sent instead of the step’s own content."
            />
            <ContentControls of={variant} onChange={set} />
          </Changeable>
        </Within>
      )}
    </>
  )
}
