/**
 * What people and mail programs add to an address: blanks (a plus sign is one, too) at either end, a full stop or a bracket behind it.
 * None of it can be part of a name.
 */
const blanks = '\\u0020+\\u00a0\\u00ad\\u200b-\\u200d\\u2060\\ufeff'
const additions = new RegExp(
  `^[${blanks}]+|[${blanks}.,;:!?)\\]}>'"*\\u2026\\u00bb\\u2019\\u201c\\u201d\\u3001\\u3002\\uff0c\\uff0e]+$`,
  'g',
)
/** Longer texts hold no name, whatever is taken off them. */
const maxUntrimmed = 128

/** Crockford's digits as people read them off: letters that look like digits are digits. */
const normalizeDigits = (text: string) => text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
const codePattern = /^[0-9A-HJKMNP-TV-Z]{16}$/
const idPattern = /^TAG_[0-9A-HJKMNP-TV-Z]{26}$/

/** A code as it is printed below its symbol, for whoever has to type it. */
export const groupCode = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')
const groupedPattern = /^(?:[^-]{4}-){3}[^-]{4}$/
export const trimmed = (text: string) => (text.length > maxUntrimmed ? text : text.replace(additions, ''))

/** Groups of four with blanks between them, where `grouped` has hyphens. */
const isSpaced = /^(?:[^ +]{4}[ +]){3}[^ +]{4}$/

/** The names a guest may mean by what stands in the path, the likeliest first; none when it cannot be a name. */
export function parseTagNames(path: string): string[] {
  if (codePattern.test(path)) return [path]
  const text = trimmed(path)
  const name = isSpaced.test(text) ? text.replace(/[ +]/g, '-') : text
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return []
  const digits = normalizeDigits(groupedPattern.test(name) ? name.replaceAll('-', '') : name)
  const ours = codePattern.test(digits) ? digits : idPattern.test(digits) ? digits.toLowerCase() : name
  return ours === name ? [name] : [ours, name]
}
