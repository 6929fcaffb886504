/** The places of the cards of a line, one below the other. */
export const cardWidth = 320
export const gap = 44
const head = 62
const row = 28

/** How high a card is with a number of rows below its head. */
export const cardHeight = (rows: number) => head + rows * row

/** Where each card of a line begins. */
export function tops(heights: readonly number[]): number[] {
  let y = 0
  return heights.map((height) => {
    const top = y
    y += height + gap
    return top
  })
}

/** The position that a card comes to when its middle is dropped at a height: behind all others whose middles lie above. */
export function dropped(heights: readonly number[], moved: number, middle: number): number {
  const at = tops(heights)
  return heights.filter((height, i) => i !== moved && at[i]! + height / 2 < middle).length
}
