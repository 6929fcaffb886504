import { expect, test } from 'vitest'
import { Based, isConflict } from './based'
import { APIError, Unanswered } from './errors'

/** A record on a server, whose revision is its value. */
function server(stored: string) {
  const record = { stored, lost: '' }
  const send = async (value: string, base: string | undefined) => {
    if (base !== undefined && base !== record.stored && value !== record.stored)
      throw new APIError('', 'LAYOUT_CHANGED')
    record.stored = value
    if (record.lost) {
      record.lost = ''
      throw new Unanswered('unreachable')
    }
    return value
  }
  const based = new Based<string, string>(stored, (saved) => saved)
  return { record, based, save: (value: string) => based.save(value, send) }
}

test('each value is based on the one before', async () => {
  const { record, save } = server('a')
  await save('b')
  await save('c')
  expect(record.stored).toBe('c')
})

test('what was saved elsewhere is a conflict until it is the base', async () => {
  const { record, based, save } = server('a')
  record.stored = 'theirs'
  const refused = await save('mine').catch((e) => e)
  expect(isConflict(refused)).toBe(true)
  expect(record.stored).toBe('theirs')
  based.base = 'theirs'
  await save('mine')
  record.stored = 'theirs again'
  based.base = undefined
  await save('mine after all')
  expect(record.stored).toBe('mine after all')
})

test('a value whose answer was lost is no conflict with itself', async () => {
  const { record, save } = server('a')
  record.lost = 'answer'
  await expect(save('b')).rejects.toThrow('unreachable')
  await save('c')
  expect(record.stored).toBe('c')
})

test('a value that was lost is no conflict either', async () => {
  const based = new Based<string, string>('a', (saved) => saved)
  const lose = async () => Promise.reject(new Unanswered('unreachable'))
  await expect(based.save('b', lose)).rejects.toThrow('unreachable')
  const sent: (string | undefined)[][] = []
  const send = async (value: string, base: string | undefined) => {
    sent.push([value, base])
    return value
  }
  await based.save('c', send)
  expect(sent).toEqual([
    ['b', 'a'],
    ['c', 'b'],
  ])
})

test('other refusals are no conflicts', () => {
  expect(isConflict(undefined)).toBe(false)
  expect(isConflict(new Error())).toBe(false)
  expect(isConflict(new APIError('', 'NOT_FOUND'))).toBe(false)
})
