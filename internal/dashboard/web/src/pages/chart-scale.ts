/** The smallest of 1, 2, 5 or 10 times a power of ten that is not below size. */
export function roundUp(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size))
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= size) ?? size
}

/** The distance between two lines of the grid, and the highest of them, for values up to most. */
export function scale(most: number): { step: number; ceiling: number } {
  const step = Math.max(1, roundUp(Math.max(most, 1) / 4))
  return { step, ceiling: Math.max(step * Math.ceil(most / step), step) }
}

/** The SVG path through values; it is interrupted where a value is missing. */
export function linePath(values: (number | null)[], x: (i: number) => number, y: (v: number) => number): string {
  let drawing = false
  return values
    .map((v, i) => {
      if (v === null) {
        drawing = false
        return ''
      }
      const command = drawing ? 'L' : 'M'
      drawing = true
      return `${command}${x(i).toFixed(1)} ${y(v).toFixed(1)}`
    })
    .join('')
}

/** Reports whether a value has no neighbour, so that no line shows it. */
export const isIsolated = (values: (number | null)[], i: number) =>
  values[i] != null && values[i - 1] == null && values[i + 1] == null
