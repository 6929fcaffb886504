import { expect, test } from 'vitest'
import { cardHeight, dropped, gap, tops } from './line'

const heights = [cardHeight(0), cardHeight(2), cardHeight(1)]

test('cards lie below each other', () => {
  expect(tops(heights)).toEqual([0, heights[0]! + gap, heights[0]! + heights[1]! + 2 * gap])
  expect(tops([])).toEqual([])
})

test('a card that is dropped takes the place that it was dropped at', () => {
  const middle = (i: number) => tops(heights)[i]! + heights[i]! / 2
  expect(dropped(heights, 0, middle(0))).toBe(0)
  expect(dropped(heights, 0, middle(1) + 1)).toBe(1)
  expect(dropped(heights, 0, middle(2) + 1)).toBe(2)
  expect(dropped(heights, 2, middle(0) - 1)).toBe(0)
  expect(dropped(heights, 1, 9999)).toBe(2)
})
