// @vitest-environment jsdom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type About, useAutosave } from './autosave'

/** Saves in the order in which they came, answered by the test. */
const asked: { name: string; answer: (body?: unknown) => Promise<void>; lose: () => Promise<void> }[] = []
let root: Root
let save: ReturnType<typeof useAutosave>

const nothing = () => {}
const named = (name: string): About => ({ name, description: '', definition: { steps: [] } })
const a = named('a')

const show = (about: About) =>
  act(async () => {
    const Caller = () => {
      save = useAutosave('w', about, 'revision of a', '/workflows/w', nothing)
      return null
    }
    root.render(createElement(called, { of: Caller }))
  })

/** Calls the latest component as a hook, so that its state stays. */
const called = ({ of }: { of: () => null }) => of()

const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.useFakeTimers()
  asked.splice(0)
  vi.stubGlobal(
    'fetch',
    vi.fn(
      (_path: string, init: RequestInit) =>
        new Promise<Response>((resolve, reject) => {
          const { name } = JSON.parse(String(init.body)).variables.input
          const workflow = { id: 'w', name, draftRevision: `revision of ${name}`, draft: { steps: [] } }
          const stored = { data: { updateWorkflow: { workflow } } }
          asked.push({
            name,
            answer: (body = stored) => act(async () => resolve(new Response(JSON.stringify(body)))),
            lose: () => act(async () => reject(new TypeError())),
          })
        }),
    ),
  )
  root = createRoot(document.createElement('div'))
  await show(a)
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const names = () => asked.map(({ name }) => name)
const refusal = {
  errors: [
    { message: 'no', extensions: { code: 'VALIDATION', fields: [{ path: 'input.definition.steps', message: 'no' }] } },
  ],
}

test('a change is saved once it rests', async () => {
  await show(named('b'))
  await wait(500)
  await show(named('c'))
  await wait(500)
  expect(names()).toEqual([])
  await wait(300)
  expect(names()).toEqual(['c'])
  expect(save.state).toBe('saving')
  await asked[0]!.answer()
  expect(save.state).toBe('saved')
})

test('what is undone before it is sent is saved', async () => {
  await show(named('b'))
  expect(save.state).toBe('waiting')
  await show(a)
  expect(save.state).toBe('saved')
  await wait(2000)
  expect(names()).toEqual([])
})

test('what was refused and is undone is saved', async () => {
  await show(named('b'))
  await wait(700)
  await asked[0]!.answer(refusal)
  expect(save.state).toBe('failed')
  expect(save.fields).toBe(1)
  await show(a)
  expect(save.state).toBe('saved')
  expect(save.error).toBe(undefined)
})

test('what is undone while it is being saved is saved as it was', async () => {
  await show(named('b'))
  await wait(700)
  await show(a)
  expect(save.state).not.toBe('saved')
  await asked[0]!.answer()
  await wait(700)
  expect(names()).toEqual(['b', 'a'])
  await asked[1]!.answer()
  expect(save.state).toBe('saved')
})

test('what is undone while it is being saved is saved as it was when the page is left', async () => {
  await show(named('b'))
  await wait(700)
  await show(a)
  act(() => root.render(null))
  await asked[0]!.answer()
  expect(names()).toEqual(['b', 'a'])
  await asked[1]!.answer()
})

test('what is undone after its answer was lost is saved as it was', async () => {
  await show(named('b'))
  await wait(700)
  await asked[0]!.lose()
  await show(a)
  await wait(700)
  expect(names()).toEqual(['b', 'b'])
  await asked[1]!.answer()
  expect(names()).toEqual(['b', 'b', 'a'])
  await asked[2]!.answer()
  expect(save.state).toBe('saved')
})
