// @vitest-environment jsdom
import { act, createElement, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Form, NumberField, Text } from './form'
import { Role } from './role'

let root: Root
let place: HTMLElement

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
})
afterEach(() => {
  act(() => root.unmount())
  place.remove()
})

let stored: number | undefined
let restore: (value?: number) => void

function Stored() {
  const [value, set] = useState<number | undefined>(12)
  stored = value
  restore = set
  return createElement(NumberField, { label: 'Every', value, onChange: set })
}

/** Types as Firefox does: of a text that is no number the value is '', and the input says so. */
function type(text: string) {
  const input = place.querySelector('input')!
  const number = text !== '' && !Number.isNaN(Number(text))
  Object.defineProperty(input, 'validity', { configurable: true, value: { badInput: text !== '' && !number } })
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, number ? text : '')
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const wrong = () => place.querySelector('[role=alert]')?.textContent

test('a text that is no number is not stored, and stays', () => {
  act(() => root.render(createElement(Stored)))
  type('7')
  expect(stored).toBe(7)
  type('7a')
  expect(stored).toBe(7)
  expect(wrong()).toBe('must be a number')
  expect(place.querySelector('input')!.value).toBe('') // the text is not replaced by the 7
  type('7')
  expect(wrong()).toBeUndefined()
  type('')
  expect(stored).toBeUndefined()
  type('a')
  expect(wrong()).toBe('must be a number')
})

test('a number from elsewhere replaces a text that is none', () => {
  act(() => root.render(createElement(Stored)))
  type('12a')
  act(() => restore(5))
  expect(place.querySelector('input')!.value).toBe('5')
  expect(wrong()).toBeUndefined()
})

test('whoever may not change a form reads why', () => {
  const shown = (role: 'EDITOR' | 'VIEWER') => {
    const children = createElement(Text, { label: 'Name', value: 'Ada', onChange: () => {} })
    const form = createElement(Form, { submit: 'Save', action: { busy: false }, onSubmit: () => {}, children })
    act(() => root.render(createElement(Role, { value: role }, form)))
    return [place.querySelector('input')!.matches(':disabled'), place.querySelector('button') !== null]
  }
  expect(shown('VIEWER')).toEqual([true, false])
  expect(place.textContent).toContain('Read only: changes need the role Editor.')
  expect(shown('EDITOR')).toEqual([false, true])
  expect(place.textContent).not.toContain('Read only')
})
