export type DiffLine = { kind: 'same' | 'add' | 'del'; text: string }

/** The lines of two texts: those that are common, added or removed (the longest common subsequence). */
export function diff(before: string, after: string): DiffLine[] {
  const first = before.split('\n')
  const second = after.split('\n')
  const shorter = Math.min(first.length, second.length)
  let head = 0
  while (head < shorter && first[head] === second[head]) head++
  let tail = 0
  while (tail < shorter - head && first.at(-1 - tail) === second.at(-1 - tail)) tail++
  const a = first.slice(head, first.length - tail)
  const b = second.slice(head, second.length - tail)
  const common: number[][] = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const kept = (text: string): DiffLine => ({ kind: 'same', text })
  const out = first.slice(0, head).map(kept)
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push(kept(a[i++]!))
      j++
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      out.push({ kind: 'del', text: a[i++]! })
    else out.push({ kind: 'add', text: b[j++]! })
  }
  return [...out, ...first.slice(first.length - tail).map(kept)]
}
