import { t } from '../text/text'
import { AddStep, StepCard, TriggerCard } from './card'
import { cardKey, type LineProps } from './line-props'

/** The steps of a workflow as a list, for narrow pages and while the canvas loads. */
export function StepList({ identifier, cards, whole, onWhole, actions }: LineProps) {
  return (
    <ol className="step-list line">
      <li>
        <TriggerCard name={identifier} chosen={whole} onChoose={onWhole} />
        <AddStep at={0} actions={actions} after={t('card.theTrigger')} />
      </li>
      {cards.map((c, i) => (
        <li key={cardKey(c)}>
          <StepCard {...c} at={i} last={i === cards.length - 1} actions={actions} />
          <AddStep at={i + 1} actions={actions} after={c.step.name || c.step.stepId || ''} />
        </li>
      ))}
    </ol>
  )
}
