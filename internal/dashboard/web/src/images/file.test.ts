import { expect, test } from 'vitest'
import { addressOf, imageTag, problemOf, problemOfSides, sizeText } from './file'

const file = (change: Partial<Pick<File, 'name' | 'type' | 'size'>>) => ({
  name: 'a',
  type: 'image/png',
  size: 9,
  ...change,
})

test('what is no image, or too large, is known before it is sent', () => {
  expect(problemOf(file({}))).toBe('')
  expect(problemOf(file({ type: 'image/gif', size: 1 << 20 }))).toBe('')
  expect(problemOf(file({ size: (1 << 20) + 1 }))).toBe('a has 1.1 MiB; an image has at most 1 MiB.')
  expect(problemOf(file({ size: 3 << 20 }))).toContain('3 MiB')
  for (const type of ['image/svg+xml', 'image/webp', 'text/html', ''])
    expect(problemOf(file({ type })), type).toBe('a is no PNG, JPEG or GIF image.')
  expect(problemOfSides('a', { width: 4000, height: 1 })).toBe('')
  expect(problemOfSides('a', { width: 1, height: 4001 })).toBe(
    'a is 1 by 4,001 pixels; an image has at most 4,000 a side.',
  )
})

test('sizes are short', () => {
  expect([70, 2048, 700_000, 1 << 20].map((n) => sizeText(n, 'en'))).toEqual(['0.1 KiB', '2 KiB', '684 KiB', '1 MiB'])
})

test('mails carry the public address, else that of the page', () => {
  expect(addressOf({ url: 'https://x.test/images/k', path: '/images/k' }, 'http://here')).toBe(
    'https://x.test/images/k',
  )
  expect(addressOf({ url: null, path: '/images/k' }, 'http://here')).toBe('http://here/images/k')
})

test('an alternative text stays within its attribute', () => {
  expect(imageTag('https://x.test/k?a&b', '"><script>')).toBe(
    '<img src="https://x.test/k?a&amp;b" alt="&quot;>&lt;script>" style="max-width:100%">',
  )
})
