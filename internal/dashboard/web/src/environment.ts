const name = 'env'

/** The environment that an address names; '' when it names none. */
export const environmentIn = (href: string) => new URL(href).searchParams.get(name) ?? ''

/** An address that names an environment, so that whoever follows it sees the same. */
export function withEnvironment(href: string, identifier: string): string {
  const url = new URL(href)
  url.searchParams.set(name, identifier)
  return url.href
}

/** An address that is of whichever environment is current. */
export function withoutEnvironment(href: string): string {
  const url = new URL(href)
  url.searchParams.delete(name)
  return url.href
}
