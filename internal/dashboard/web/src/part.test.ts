// @vitest-environment jsdom
import { act, createElement, Fragment } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { part } from './part'

let root: Root
let place: HTMLElement

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.spyOn(console, 'error').mockImplementation(() => {}) // of React, about what it caught
  place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
})
afterEach(() => {
  act(() => root.unmount())
  place.remove()
  vi.restoreAllMocks()
})

test('a part that cannot be loaded leaves the rest of its page alone, and is loaded when it is tried again', async () => {
  const load = vi
    .fn<() => Promise<() => string>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValueOnce(() => 'here it is')
  const Part = part(load)
  await act(async () => root.render(createElement(Fragment, {}, createElement('input'), createElement(Part))))
  const input = place.querySelector('input')!
  input.value = 'typed'
  expect(place.textContent).toContain('could not be loaded')
  await act(async () => place.querySelector('button')!.click())
  expect(place.textContent).toBe('here it is')
  expect(place.querySelector('input')).toBe(input)
  expect(input.value).toBe('typed')
})
