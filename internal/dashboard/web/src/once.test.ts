import { expect, test } from 'vitest'
import { APIError, Unanswered } from './errors'
import { Once } from './once'

test('what had no answer is sent again under its identifier, all else under a new one', async () => {
  const once = new Once()
  const ids: string[] = []
  const send = (value: string, error?: Error) =>
    once
      .send({ value }, (id) => {
        ids.push(id)
        return error ? Promise.reject(error) : Promise.resolve()
      })
      .catch(() => {})
  await send('a', new Unanswered('lost'))
  await send('a', new Unanswered('lost'))
  await send('a')
  await send('a') // meant to be sent twice
  await send('b', new Unanswered('lost'))
  await send('c', new APIError('refused'))
  await send('c')
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 0, 3, 4, 5, 6])
})
