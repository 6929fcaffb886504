// @vitest-environment jsdom
import { act, type ComponentType, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { Dialog } from './overlay'

test('a press beside a dialog closes it unless something was typed in it', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const onClose = vi.fn()
  const props: Omit<Parameters<typeof Dialog>[0], 'children'> = { title: 'New', onClose }
  await act(async () =>
    root.render(createElement(Dialog as ComponentType<typeof props>, props, createElement('input'))),
  )
  const pressBeside = () =>
    act(async () => {
      await new Promise((resolve) => setTimeout(resolve)) // after the press that opened it, a dialog listens
      document.querySelector('.backdrop')!.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    })
  await pressBeside()
  expect(onClose).toHaveBeenCalledTimes(1)
  await act(async () => {
    document.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await pressBeside()
  expect(onClose).toHaveBeenCalledTimes(1)
  act(() => root.unmount())
})
