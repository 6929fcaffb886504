/** The path of an image that was uploaded here; whatever host a mail names, it is asked of this one. */
const uploaded = /^\s*https?:\/\/[^/?#]+(\/images\/[0-9a-f]{64})\s*$/i

/** The address of an image that was uploaded here as this page asks for it; undefined for any other. */
export function uploadedImage(address: string): string | undefined {
  const path = uploaded.exec(address)?.[1]
  return path && new URL(path, location.origin).href
}
