// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { beginning, letterOf, senderOf } from './mail-line'

test.each([
  ['<div style="display:none">Look inside</div><h1>Hello</h1><p>One<br>two</p>', 'Look inside Hello One two'],
  ['<html><head><title>Title</title><style>p{}</style></head><body><p>Text</p></body></html>', 'Text'],
  ['<p>A&nbsp;&zwnj;&nbsp;&#847;\u200b B</p>', 'A B'],
  [undefined, 'the plain part'],
  [`<p>${'é'.repeat(300)}</p>`, 'é'.repeat(200)],
])('the list shows the beginning of %s', (html, want) => {
  expect(beginning(html, 'the  plain\npart ')).toBe(want)
})

test.each([
  [{ from: 'a@b.example', name: 'Ann' }, {}, 'Ann', 'a@b.example'],
  [{ from: 'Ann B <a@b.example>' }, { from: 'x@y.example', name: 'X' }, 'Ann B', 'a@b.example'],
  [{ from: '"Ann" <a@b.example>' }, {}, 'Ann', 'a@b.example'],
  [{ from: 'a@b.example' }, {}, 'a@b.example', ''],
  [{}, { from: 'x@y.example', name: 'X' }, 'X', 'x@y.example'],
  [{ name: 'Ann' }, { from: 'x@y.example', name: 'X' }, 'Ann', 'x@y.example'],
  [{}, {}, 'the sender', ''],
])('the sender of %o and %o', (step, integration, name, address) => {
  expect(senderOf(step, integration, 'the sender')).toEqual({ name, address })
})

test('the first letter or digit of a name', () => {
  expect(letterOf('«élan»')).toBe('É')
  expect(letterOf('…')).toBe('')
})
