import { ArrowDown, ArrowUp, CirclePlay, Copy, Ellipsis, Pause, Play, Plus, Split, Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo } from 'react'
import type { StepStatisticsQuery, StepType, WorkflowStepInput } from '../gql'
import { Menu, MenuItem, MenuLine, MenuTitle, Tooltip } from '../overlay'
import { May } from '../role'
import { number, t } from '../text/text'
import { Badge } from '../ui'
import { words } from '../words'
import { iconOf, isChannelStep, stepText, stepTypes } from './kinds'
import { conditionText } from './summary'

export type Figures = NonNullable<StepStatisticsQuery['workflowByReference']['stepStatistics']>['steps'][number]

/** What can be done with the steps of a line. */
export type LineActions = {
  choose: (at: number) => void
  add: (type: StepType, at: number) => void
  move: (from: number, to: number) => void
  duplicate: (at: number) => void
  toggle: (at: number) => void
  remove: (at: number) => void
}

export type CardProps = {
  step: WorkflowStepInput
  at: number
  last: boolean
  chosen: boolean
  wrong: boolean
  figures?: Figures
  actions: LineActions
}

/** How many rows a card has below its head. */
export const cardRows = (step: WorkflowStepInput, figures?: Figures) =>
  (conditionText(step.filters) || step.variants?.length ? 1 : 0) + (figures ? 1 : 0)

/** One step: what it does, its conditions, what became of it, and what can be done with it. */
export const StepCard = memo(function StepCard({ step, at, last, chosen, wrong, figures, actions }: CardProps) {
  const Icon = iconOf(step.type)
  const name = step.name || step.stepId || words(step.type)
  const off = step.active === false
  const conditions = conditionText(step.filters)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the button inside.
    <div
      className={['step-card', chosen && 'chosen', off && 'off'].filter(Boolean).join(' ')}
      onKeyDown={(e) => keys(e, at, actions)}
    >
      <button
        type="button"
        className="step-main"
        aria-current={chosen ? 'step' : undefined}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Control+D Delete"
        onClick={() => actions.choose(at)}
      >
        <span className={`step-icon ${isChannelStep(step.type) ? 'channel' : ''}`}>
          <Icon aria-hidden className="icon" />
        </span>
        <span className="step-words">
          <strong>
            {name}
            <span className="hidden">{t('card.typeAndStep', { type: words(step.type), n: at + 1 })}</span>
          </strong>
          <span className="soft small">{stepText(step)}</span>
        </span>
        {off && <Badge>{t('common.off')}</Badge>}
        {wrong && <Badge tone="bad">{t('word.ERROR')}</Badge>}
      </button>
      <May>
        <span className="step-menu nodrag nopan">
          <StepMenu at={at} last={last} off={off} name={name} actions={actions} />
        </span>
      </May>
      {(conditions || step.variants?.length) && (
        <div className="step-row soft small">
          <Split aria-hidden className="icon" />
          <span>
            {[
              conditions && t('card.onlyIf', { conditions }),
              step.variants?.length && t('card.contents', { n: step.variants.length + 1 }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
      )}
      {figures && <FigureRow of={figures} />}
    </div>
  )
})

/** What became of a step in the last week. */
function FigureRow({ of: f }: { of: Figures }) {
  const skips = f.skips.map((s) => `${words(s.reason)}: ${number(s.count)}`).join(', ')
  return (
    <div className="step-row figures-row small">
      <span>
        <b>{number(f.reached)}</b> {t('card.reached')}
      </span>
      <span className={f.sent ? 'good' : 'soft'}>
        <b>{number(f.sent)}</b> {t('card.sent')}
      </span>
      {f.skipped > 0 ? (
        <Tooltip text={t('card.skippedLately', { skips })}>
          <button
            type="button"
            className="nodrag wait"
            aria-label={t('card.skippedSkippedSkips', { skipped: f.skipped, skips })}
          >
            <b>{number(f.skipped)}</b> {t('card.skipped')}
          </button>
        </Tooltip>
      ) : (
        <span className="soft">
          <b>0</b> {t('card.skipped')}
        </span>
      )}
      <span className={f.failed ? 'bad' : 'soft'}>
        <b>{number(f.failed)}</b> {t('card.failed')}
      </span>
    </div>
  )
}

function StepMenu({
  at,
  last,
  off,
  name,
  actions,
}: {
  at: number
  last: boolean
  off: boolean
  name: string
  actions: LineActions
}) {
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="button square quiet" aria-label={t('card.actionsOfName', { name })}>
          <Ellipsis aria-hidden className="icon" />
        </button>
      }
    >
      <MenuItem icon={ArrowUp} disabled={at === 0} onSelect={() => actions.move(at, at - 1)}>
        {t('card.moveUp')} <kbd>Alt ↑</kbd>
      </MenuItem>
      <MenuItem icon={ArrowDown} disabled={last} onSelect={() => actions.move(at, at + 1)}>
        {t('card.moveDown')} <kbd>Alt ↓</kbd>
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => actions.duplicate(at)}>
        {t('common.duplicate')} <kbd>{t('card.ctrlD')}</kbd>
      </MenuItem>
      <MenuItem icon={off ? Play : Pause} onSelect={() => actions.toggle(at)}>
        {off ? t('card.switchOn') : t('card.switchOff')}
      </MenuItem>
      <MenuLine />
      <MenuItem icon={Trash2} danger onSelect={() => actions.remove(at)}>
        {t('common.delete')} <kbd>{t('card.del')}</kbd>
      </MenuItem>
    </Menu>
  )
}

/** Adds a step at a place of the line. */
export const AddStep = memo(function AddStep({
  at,
  actions,
  after,
}: {
  at: number
  actions: LineActions
  after?: string
}) {
  const group = (channel: boolean) =>
    stepTypes
      .filter((type) => isChannelStep(type) === channel)
      .map((type) => (
        <MenuItem key={type} icon={iconOf(type)} onSelect={() => actions.add(type, at)}>
          {words(type)}
        </MenuItem>
      ))
  return (
    <May>
      <Menu
        trigger={
          <button
            type="button"
            className="add-step nodrag nopan"
            aria-label={after ? t('card.addAfter', { after }) : t('card.addAStep')}
          >
            <Plus aria-hidden className="icon" />
          </button>
        }
      >
        <MenuTitle>{t('word.SEND')}</MenuTitle>
        {group(true)}
        <MenuLine />
        <MenuTitle>{t('card.controlTheRun')}</MenuTitle>
        {group(false)}
      </Menu>
    </May>
  )
})

/** Where a run begins: what is shown of the workflow as a whole. */
export function TriggerCard({ name, chosen, onChoose }: { name: string; chosen: boolean; onChoose: () => void }) {
  return (
    <div className={chosen ? 'step-card chosen' : 'step-card'}>
      <button type="button" className="step-main nodrag" aria-current={chosen ? 'step' : undefined} onClick={onChoose}>
        <span className="step-icon">
          <CirclePlay aria-hidden className="icon" />
        </span>
        <span className="step-words">
          <strong>{t('card.whenTriggered')}</strong>
          <span className="soft small">{name}</span>
        </span>
      </button>
    </div>
  )
}

/** The keys of a card: those of its menu, and the arrows to the cards beside it. */
function keys(e: KeyboardEvent<HTMLElement>, at: number, actions: LineActions) {
  if (!(e.target instanceof HTMLElement) || !e.target.classList.contains('step-main')) return
  const down = e.key === 'ArrowDown'
  if (down || e.key === 'ArrowUp') {
    e.preventDefault()
    if (e.altKey) actions.move(at, at + (down ? 1 : -1))
    else {
      const all = [...(e.target.closest('.line')?.querySelectorAll<HTMLElement>('.step-main') ?? [])]
      all[all.indexOf(e.target) + (down ? 1 : -1)]?.focus()
    }
  } else if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'd') {
    e.preventDefault()
    actions.duplicate(at)
  } else if (e.key === 'Delete' || e.key === 'Backspace') {
    e.preventDefault()
    actions.remove(at)
  }
}
