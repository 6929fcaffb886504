// @vitest-environment jsdom
import { act, createElement, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IdentifierField } from './identifier-field'

let root: Root
let place: HTMLElement
const asked: { query: string; variables: { text?: string } }[] = []

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.useFakeTimers()
  asked.splice(0)
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    asked.push(JSON.parse(String(init.body)))
    const nodes = [
      { value: 'ada', label: 'Ada', last: 'Lovelace' },
      { value: 'bert', label: null, last: null },
    ]
    return new Response(JSON.stringify({ data: { offered: { nodes } } }))
  })
})

afterEach(() => {
  act(() => root.unmount())
  place.remove()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Field({ several }: { several?: boolean }) {
  const [value, setValue] = useState('')
  return createElement(IdentifierField, { of: 'subscriber', label: 'Who', several, value, onChange: setValue })
}

async function draw(several?: boolean) {
  place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
  await act(async () => root.render(createElement(Field, { several })))
  const input = place.querySelector('input')!
  return {
    focus: () => act(async () => input.focus()),
    type: (text: string) =>
      act(async () => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text)
        input.dispatchEvent(new Event('input', { bubbles: true }))
        await vi.advanceTimersByTimeAsync(1000)
      }),
    offered: () => [...place.querySelectorAll('option')].map((o) => [o.value, o.label]),
  }
}

test('the server finds what is offered, by what is typed, once the field has the focus', async () => {
  const field = await draw()
  expect(asked).toEqual([])
  await field.focus()
  expect(asked.map((a) => a.variables)).toEqual([{}])
  expect(asked[0]!.query).toContain('subscribers(')
  expect(field.offered()).toEqual([
    ['ada', 'Ada Lovelace'],
    ['bert', ''],
  ])
  await field.type(' love ')
  expect(asked.at(-1)!.variables).toEqual({ text: 'love' })
})

test('of several names the last is searched for, and those that are there are not offered again', async () => {
  const field = await draw(true)
  await field.focus()
  await field.type('ada, be')
  expect(asked.at(-1)!.variables).toEqual({ text: 'be' })
  expect(field.offered()).toEqual([['ada, bert', '']])
})
