/** A colour as red, green and blue from 0 to 255. */
export type RGB = [number, number, number]

/** The colours of a style sheet's custom properties, light and dark. */
export function readColours(css: string): Map<string, { light: RGB; dark: RGB }> {
  const found = css.matchAll(/--([\w-]+):\s*light-dark\(#([0-9a-f]{6}),\s*#([0-9a-f]{6})\)/g)
  return new Map([...found].map(([, name, light, dark]) => [name!, { light: toRGB(light!), dark: toRGB(dark!) }]))
}

const toRGB = (hex: string): RGB => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)) as RGB

/** The contrast of two colours as WCAG 2.2 defines it: from 1 to 21. */
export function contrast(a: RGB, b: RGB): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: RGB): number {
  const [r, g, b] = colour.map((part) => {
    const c = part / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  }) as RGB
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
