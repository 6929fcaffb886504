import { expect, test } from 'vitest'
import { jsonMarks, jsonOffers } from '../code/json'
import definition from './definition.json'

const offered = (text: string) =>
  jsonOffers(text.replace('|', ''), text.indexOf('|'), definition)?.offers.map((offer) => offer.label)
const marked = (text: string) => jsonMarks(text, definition).map(({ from, to }) => text.slice(from, to))

test('a definition is completed with what the server takes', () => {
  expect(offered('{"|"}')).toContain('payloadSchema')
  expect(offered('{"steps": [{"type": "|"}]}')).toContain('"DIGEST"')
  expect(offered('{"steps": [{"email": {"|"}}]}')).toContain('preheader')
  expect(offered('{"steps": [{"filters": [{"children": [{"|"}]}]}]}')).toContain('operator')
})

test('what the server would refuse is marked', () => {
  expect(marked('{"steps": [{"type": "IN_APP", "inApp": {"body": "Hello"}, "name": null}]}')).toEqual([])
  expect(marked('{"steps": [{"type": "FAX"}]}')).toEqual(['"FAX"'])
  expect(marked('{"steps": [], "colour": 1}')).toHaveLength(1)
  expect(marked('{}')).toHaveLength(1)
})
