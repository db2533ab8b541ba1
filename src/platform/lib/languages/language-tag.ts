/** Canonical form of a BCP 47 tag of a language with up to three further subtags; undefined if it is invalid. */
export function parseLanguage(name: string | undefined): string | undefined {
  if (name === undefined || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(name)) return undefined
  try {
    return new Intl.Locale(name).toString()
  } catch {
    return undefined
  }
}
