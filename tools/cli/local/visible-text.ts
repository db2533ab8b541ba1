/** Characters that a terminal obeys, or that change the order of what it shows. */
const controls = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu
/** The same without line breaks. */
const controlsInLines = /(?!\n)[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu

const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** U+2400 and the characters behind it picture the first control characters, U+2421 deletion. */
function toMark(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : toEscape(character)
}

/** A text of someone else with visible marks instead of control characters, in one line. */
export const toVisible = (text: string) => text.replace(controls, toMark)

/** The same for lines of our own: line breaks stay. */
export const toVisibleLines = (text: string) => text.replace(controlsInLines, toMark)
