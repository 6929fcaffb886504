/** The smallest change that makes one text of another. */
export function difference(from: string, to: string) {
  if (from === to) return undefined
  let start = 0
  while (start < from.length && from[start] === to[start]) start++
  let end = 0
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) }
}
