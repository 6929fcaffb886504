import { language } from '../text/text'
import { word } from './words'

export const imageKinds = ['image/png', 'image/jpeg', 'image/gif']

const mostBytes = 1 << 20
const mostSide = 4000

/** How large something is, rounded up, for people. */
export const sizeText = (bytes: number, locale: string = language()): string => {
  const [value, unit] = bytes < 1 << 20 ? [bytes / 1024, 'KiB'] : [bytes / (1 << 20), 'MiB']
  const shown = value < 10 ? Math.ceil(value * 10) / 10 : Math.ceil(value)
  return `${shown.toLocaleString(locale)} ${unit}`
}

/** What keeps a file from being an image, as far as it is known before it is sent; '' when nothing does. */
export function problemOf({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string {
  if (!imageKinds.includes(type)) return word('kind', { name })
  if (size > mostBytes) return word('large', { name, size: sizeText(size) })
  return ''
}

/** The same of what the browser finds in it. */
export const problemOfSides = (name: string, { width, height }: { width: number; height: number }): string =>
  Math.max(width, height) > mostSide ? word('sides', { name, width, height }) : ''

/** The input of the mutation that uploads a file. Throws an error that says what is wrong with the file. */
export async function inputOf(file: File): Promise<{ name: string; content: string }> {
  const refuse = (problem: string) => {
    if (problem) throw new Error(problem)
  }
  refuse(problemOf(file))
  const picture = await createImageBitmap(file).catch(() => refuse(word('kind', { name: file.name })))
  if (picture) refuse(problemOfSides(file.name, picture))
  picture?.close()
  return { name: [...file.name].slice(0, 255).join(''), content: await base64(file) }
}

const base64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error(word('unread', { name: file.name })))
    reader.readAsDataURL(file)
  })

/** The address of an image as a mail carries it. A server without a public URL is reached where this page is. */
export const addressOf = ({ url, path }: { url: string | null; path: string }, origin = location.origin): string =>
  url ?? origin + path

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The HTML of an image in a mail. */
export const imageTag = (address: string, alt: string): string =>
  `<img src="${escaped(address)}" alt="${escaped(alt)}" style="max-width:100%">`
