import { expect, test } from 'vitest'
import {
  choicesOfLast,
  chooseInOrder,
  include,
  insertAt,
  lastName,
  moveTo,
  nameContains,
  namesOf,
  removeAt,
  replaceAt,
  swap,
} from './lists'

const list = ['a', 'b', 'c']

test('lists are changed at a position and never in place', () => {
  expect(replaceAt(list, 1, 'x')).toEqual(['a', 'x', 'c'])
  expect(removeAt(list, 0)).toEqual(['b', 'c'])
  expect(swap(list, 0, 2)).toEqual(['c', 'b', 'a'])
  expect(list).toEqual(['a', 'b', 'c'])
})

test('elements are inserted and moved', () => {
  expect(insertAt(list, 0, 'x')).toEqual(['x', 'a', 'b', 'c'])
  expect(insertAt(list, 3, 'x')).toEqual(['a', 'b', 'c', 'x'])
  expect(moveTo(list, 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moveTo(list, 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveTo(list, 1, 1)).toEqual(list)
})

test('nothing moves out of a list', () => {
  expect(moveTo(list, 0, 3)).toEqual(list)
  expect(moveTo(list, -1, 0)).toEqual(list)
  expect(swap(list, 0, -1)).toEqual(list)
  expect(swap(list, 2, 3)).toEqual(list)
})

test('values are included or left out', () => {
  expect(include(list, 'd', true)).toEqual(['a', 'b', 'c', 'd'])
  expect(include(list, 'b', false)).toEqual(['a', 'c'])
})

test('choices keep their order', () => {
  expect(chooseInOrder(list, ['c'], 'a', true)).toEqual(['a', 'c'])
  expect(chooseInOrder(list, ['a', 'c'], 'a', false)).toEqual(['c'])
})

test('names and identifiers are searched in any case', () => {
  const workflow = { name: 'Order Shipped', identifier: 'order-shipped' }
  expect(nameContains(workflow, 'ORDER S')).toBe(true)
  expect(nameContains(workflow, 'order-')).toBe(true)
  expect(nameContains(workflow, 'invoice')).toBe(false)
  expect(nameContains(workflow, '')).toBe(true)
})

test('names are separated by commas, and the last one is completed', () => {
  expect(namesOf(' ada,, bert ')).toEqual(['ada', 'bert'])
  expect(namesOf('')).toEqual([])
  expect(lastName('ada, be ')).toBe('be')
  expect(lastName('ada')).toBe('ada')
  expect(lastName('ada,')).toBe('')
  const offered = (text: string, ...names: string[]) =>
    choicesOfLast(
      text,
      names.map((value) => ({ value, label: value.toUpperCase() })),
    )
  expect(offered('', 'ada', 'bert').map((o) => o.value)).toEqual(['ada', 'bert'])
  expect(offered('ada, be', 'ada', 'bert')).toEqual([{ value: 'ada, bert', label: 'BERT' }])
  expect(offered('ada,', 'ada', 'bert', 'carla').map((o) => o.value)).toEqual(['ada, bert', 'ada, carla'])
  expect(offered('ada')).toEqual([])
})
