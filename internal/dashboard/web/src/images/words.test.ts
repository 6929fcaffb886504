import { expect, test } from 'vitest'
import { texts } from './words'

const values = (text: object | string) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].sort()

test('German says what English says', () => {
  expect(Object.keys(texts.de)).toEqual(Object.keys(texts.en))
  for (const key of Object.keys(texts.en) as (keyof typeof texts.en)[])
    expect(values(texts.de[key]), key).toEqual(values(texts.en[key]))
})
