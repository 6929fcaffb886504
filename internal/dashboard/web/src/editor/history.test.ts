import { expect, test } from 'vitest'
import { begin, change, changedText, redo, replace, undo } from './history'

test('a change is undone and redone, and a new change drops what was undone', () => {
  let h = begin({ list: [1] })
  h = change(h, { list: [1, 2] }, 0)
  h = change(h, { list: [1, 2, 3] }, 1)
  expect(undo(h).present).toEqual({ list: [1, 2] })
  expect(undo(undo(undo(h))).present).toEqual({ list: [1] })
  expect(redo(undo(h)).present).toEqual({ list: [1, 2, 3] })
  expect(redo(h)).toBe(h)
  const other = change(undo(h), { list: [9] }, 2)
  expect(redo(other).present).toEqual({ list: [9] })
})

test('typing at one place without a pause is one step', () => {
  let h = begin({ name: '', text: '' })
  for (const [i, name] of ['a', 'ab', 'abc'].entries()) h = change(h, { ...h.present, name }, i * 500)
  h = change(h, { ...h.present, text: 'x' }, 1500)
  expect(undo(h).present).toEqual({ name: 'abc', text: '' })
  expect(undo(undo(h)).present).toEqual({ name: '', text: '' })
  h = change(h, { ...h.present, text: 'xy' }, 9000)
  expect(undo(h).present).toEqual({ name: 'abc', text: 'x' })
})

test('typing after an undo is a step of its own', () => {
  let h = change(begin({ name: '' }), { name: 'a' }, 0)
  h = change(undo(h), { name: 'b' }, 10)
  expect(undo(h).present).toEqual({ name: '' })
})

test('what is taken from elsewhere is a step of its own, however soon after typing', () => {
  let h = change(begin({ name: 'old' }), { name: 'typed' }, 0)
  h = replace(h, { name: 'restored' })
  h = change(h, { name: 'typed again' }, 1)
  expect(undo(h).present).toEqual({ name: 'restored' })
  expect(undo(undo(h)).present).toEqual({ name: 'typed' })
  expect(undo(undo(undo(h))).present).toEqual({ name: 'old' })
  expect(replace(h, { name: 'typed again' }).past).toBe(h.past)
})

test('an equal value is no step, and the stack is bounded', () => {
  let h = begin({ list: [0] })
  h = change(h, { list: [0] }, 0)
  expect(h.past).toHaveLength(0)
  for (let i = 1; i <= 300; i++) h = change(h, { list: Array(i + 1).fill(0) }, i)
  expect(h.past).toHaveLength(200)
})

test('the path of the text that changed', () => {
  const before = { steps: [{ sms: { body: 'a' } }, { on: true }] }
  expect(changedText(before, { steps: [{ sms: { body: 'b' } }, { on: true }] })).toBe('/steps/0/sms/body/')
  expect(changedText(before, { steps: [{ sms: { body: 'a' } }, { on: false }] })).toBeUndefined()
  expect(changedText(before, { steps: [{ sms: { body: 'a' } }] })).toBeUndefined()
  expect(changedText({ a: '', b: '' }, { a: 'x', b: 'y' })).toBeUndefined()
  expect(changedText(before, structuredClone(before))).toBe('')
})
