import { isExact } from '../exact'

/** What was edited, with what it was before and what was undone. */
export type History<T> = { past: readonly T[]; present: T; future: readonly T[]; typing?: { path: string; at: number } }

/** So many steps back are kept. */
const depth = 200
/** What is typed at one place within this time is one step. */
const pause = 1000

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [] })

/** The history with another present. What is typed into one text without a pause is undone together. */
export function change<T>(h: History<T>, next: T, now: number): History<T> {
  const path = changedText(h.present, next)
  if (path === '') return { ...h, present: next }
  const continues = path !== undefined && h.typing?.path === path && now - h.typing.at < pause
  return {
    past: continues ? h.past : [...h.past, h.present].slice(-depth),
    present: next,
    future: [],
    typing: path === undefined ? undefined : { path, at: now },
  }
}

/** The history with another present that was not typed, but taken from elsewhere: a step of its own. */
export const replace = <T>(h: History<T>, next: T): History<T> =>
  changedText(h.present, next) === ''
    ? { ...h, present: next, typing: undefined }
    : { past: [...h.past, h.present].slice(-depth), present: next, future: [] }

export function undo<T>(h: History<T>): History<T> {
  const before = h.past.at(-1)
  return before === undefined ? h : { past: h.past.slice(0, -1), present: before, future: [h.present, ...h.future] }
}

export function redo<T>(h: History<T>): History<T> {
  const [after, ...rest] = h.future
  return after === undefined ? h : { past: [...h.past, h.present], present: after, future: rest }
}

/**
 * The path of the one text or number in which two values differ; '' when they do not differ, undefined when they differ in
 * more than one or in another way.
 */
export function changedText(before: unknown, after: unknown, path = '/'): string | undefined {
  if (Object.is(before, after)) return ''
  if (isText(before) && isText(after)) return path
  if (!isRecord(before) || !isRecord(after) || Array.isArray(before) !== Array.isArray(after)) return undefined
  let found = ''
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const here = changedText(before[key], after[key], `${path}${key}/`)
    if (here === undefined || (here && found)) return undefined
    found ||= here
  }
  return found
}

const isText = (v: unknown) => typeof v === 'string' || typeof v === 'number' || isExact(v) || v === undefined
const isRecord = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !isExact(v)
