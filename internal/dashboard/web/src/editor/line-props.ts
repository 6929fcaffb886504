import type { CardProps, LineActions } from './card'

/** What a canvas or a list of steps shows. */
export type LineProps = {
  identifier: string
  cards: Omit<CardProps, 'actions' | 'last' | 'at'>[]
  /** Whether the workflow itself is shown in the panel. */
  whole: boolean
  onWhole: () => void
  actions: LineActions
}

/** The key of a card: what its step is, wherever it moves. */
export const cardKey = ({ step }: LineProps['cards'][number]) => step.id ?? `${step.type}:${step.stepId}`
