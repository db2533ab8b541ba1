/**
 * Characters that people and mail programs add to a URL: white space (also as plus signs) at both ends, punctuation at the end. A name
 * contains none of them.
 */
const blanks = '\\u0020+\\u00a0\\u00ad\\u200b-\\u200d\\u2060\\ufeff'
const additions = new RegExp(
  `^[${blanks}]+|[${blanks}.,;:!?)\\]}>'"*\\u2026\\u00bb\\u2019\\u201c\\u201d\\u3001\\u3002\\uff0c\\uff0e]+$`,
  'g',
)
/** Longer texts contain no name and are not trimmed. */
const maxUntrimmed = 128

/** Converts letters that look like digits to digits, as Crockford's base 32 defines. */
const normalizeDigits = (text: string) => text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
const codePattern = /^[0-9A-HJKMNP-TV-Z]{16}$/
const idPattern = /^TAG_[0-9A-HJKMNP-TV-Z]{26}$/

/** A code in groups of four, as printed below its QR symbol. */
export const groupCode = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')
const groupedPattern = /^(?:[^-]{4}-){3}[^-]{4}$/
/** A scanned or typed text without what people and mail programs add to it. */
export const trimmed = (text: string) => (text.length > maxUntrimmed ? text : text.replace(additions, ''))

/** Groups of four separated by spaces instead of hyphens. */
const isSpaced = /^(?:[^ +]{4}[ +]){3}[^ +]{4}$/

/** The names that a path may mean, the most likely first. Empty if the path cannot be a name. */
export function parseTagNames(path: string): string[] {
  if (codePattern.test(path)) return [path]
  const text = trimmed(path)
  const name = isSpaced.test(text) ? text.replace(/[ +]/g, '-') : text
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return []
  const digits = normalizeDigits(groupedPattern.test(name) ? name.replaceAll('-', '') : name)
  const ours = codePattern.test(digits) ? digits : idPattern.test(digits) ? digits.toLowerCase() : name
  return ours === name ? [name] : [ours, name]
}
