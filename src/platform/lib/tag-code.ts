/**
 * Characters that people, mail programs and share sheets put around a URL: white space (also as plus signs), quotes, brackets and other
 * punctuation. A name contains none of them.
 */
const around =
  '\\u0020+\\u00a0\\u00ad\\u200b-\\u200f\\u2060\\u2066-\\u2069\\ufeff.,;:!?\'"`*~<>()\\[\\]{}|\\\\\\u00ab\\u00bb' +
  '\\u2018-\\u201f\\u2026\\u2039\\u203a\\u3001\\u3002\\u3008-\\u3011\\uff01\\uff08\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f\\uff3b\\uff3d\\uff5b\\uff5d'
const additions = new RegExp(`^[${around}]+|[${around}]+$`, 'g')
/** The start of a query or fragment. Some programs add it without its `?`, or escape it as a part of the path. */
const queryStart = /[?&#=]/
/** Longer texts cannot contain a name and are not trimmed. */
const maxUntrimmed = 128

/** Converts letters that look like digits to digits, as Crockford's base 32 defines. */
const normalizeDigits = (text: string) => text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
const codePattern = /^[0-9A-HJKMNP-TV-Z]{16}$/
const idPattern = /^TAG_[0-9A-HJKMNP-TV-Z]{26}$/

/** A code in groups of four, as printed below its QR symbol. */
export const groupCode = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')
const groupedPattern = /^(?:[^-]{4}-){3}[^-]{4}$/
/** A scanned or typed text without the characters that people and programs add. */
export function trimmed(text: string): string {
  const end = text.search(queryStart)
  const own = end < 0 ? text : text.slice(0, end)
  return own.length > maxUntrimmed ? text : own.replace(additions, '')
}

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
