// @vitest-environment jsdom
import { TooltipProvider } from '@radix-ui/react-tooltip'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type CardProps, StepCard } from './card'

test('figures of a step are grouped', () => {
  const nothing = () => {}
  const figures = {
    stepId: 'mail',
    reached: 1234567,
    sent: 1200000,
    skipped: 34500,
    failed: 1067,
    skips: [{ reason: 'STEP_FILTERED', count: 34500 }],
  } as unknown as CardProps['figures']
  const actions = { choose: nothing, add: nothing, move: nothing, duplicate: nothing, toggle: nothing, remove: nothing }
  const shown = renderToStaticMarkup(
    createElement(
      TooltipProvider,
      null,
      createElement(StepCard, {
        step: { type: 'EMAIL', stepId: 'mail' },
        at: 0,
        last: true,
        chosen: false,
        wrong: false,
        figures,
        actions,
      }),
    ),
  )
  for (const figure of ['1,234,567', '1,200,000', '34,500', '1,067']) expect(shown).toContain(`<b>${figure}</b>`)
  expect(shown).toMatch(/aria-label="[^"]*: 34,500/)
})
