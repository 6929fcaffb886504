/** How a text travels as SMS: in which alphabet, how many places it takes, and in how many messages it is sent and billed. */
export type Segments = { unicode: boolean; length: number; each: number; messages: number }

// GSM 03.38: its table, and the characters that take two places. The server counts by the same (internal/provider/sms).
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('\f^{}\\[~]|€')

/** The characters of a text that the GSM alphabet lacks, each once. */
export const foreign = (text: string) => [...new Set([...text].filter((c) => !basic.has(c) && !extended.has(c)))]

/** How a text travels. */
export function segments(text: string): Segments {
  const unicode = foreign(text).length > 0
  const length = unicode ? text.length : [...text].reduce((n, c) => n + (extended.has(c) ? 2 : 1), 0)
  const [whole, part] = unicode ? [70, 67] : [160, 153]
  const single = length <= whole
  return { unicode, length, each: single ? whole : part, messages: single ? 1 : Math.ceil(length / part) }
}
