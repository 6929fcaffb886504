import type { Template } from './knowledge'

/** A part of a text that something is wrong with. */
export type Mark = { from: number; to: number; severity: 'error' | 'warning'; message: string }

/** The word at a position, or the sign there; at the end of the text the last one. */
export function markText(text: string, position: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(position, text.trimEnd().length - 1))
  const length = /^[\w$]+/.exec(text.slice(from))?.[0].length ?? 1
  return { from, to: Math.min(text.length, from + length) }
}

/** What the server says of a template, where it says it: on the line that a message names, or at a variable. */
export function templateMarks(text: string, messages: string, issues: Template['issues'] = []): Mark[] {
  const errors = lineMarks(text, messages, 'error')
  return [
    ...errors,
    ...issues.flatMap(({ message, variableName }): Mark[] =>
      variableName
        ? placesOf(text, variableName).map((place) => ({ ...place, severity: 'warning', message }))
        : errors.length > 0
          ? []
          : lineMarks(text, message, 'warning'),
    ),
  ]
}

function lineMarks(text: string, messages: string, severity: Mark['severity']): Mark[] {
  const lines = text.split('\n')
  return [...messages.matchAll(/template line (\d+): ([^;]*)/g)].flatMap(([, number, message]): Mark[] => {
    const line = lines[Number(number) - 1]
    if (line === undefined) return []
    const start = lines.slice(0, Number(number) - 1).reduce((sum, l) => sum + l.length + 1, 0)
    const from = start + line.length - line.trimStart().length
    return [{ from, to: Math.max(start + line.trimEnd().length, from), severity, message: message! }]
  })
}

/** Where a template names a variable. */
function placesOf(text: string, variable: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  for (let from = text.indexOf(variable); from >= 0; from = text.indexOf(variable, from + 1)) {
    const to = from + variable.length
    if (!/[\w.]/.test(text[from - 1] ?? '') && !/\w/.test(text[to] ?? '')) found.push({ from, to })
  }
  return found
}
