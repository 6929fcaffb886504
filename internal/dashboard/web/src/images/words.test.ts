import { expect, test } from 'vitest'
import { texts } from './words'

const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

test('German says what English says', () => {
  expect(Object.keys(texts.de)).toEqual(Object.keys(texts.en))
  for (const key of Object.keys(texts.en) as (keyof typeof texts.en)[])
    expect(values(texts.de[key]), key).toEqual(values(texts.en[key]))
})
