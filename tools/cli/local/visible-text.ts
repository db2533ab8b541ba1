/** Characters that control a terminal, or that change the order of its text. */
const controls = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu
/** Control characters, except line breaks. */
const controlsInLines = /(?!\n)[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu

const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** U+2400 and the following characters are symbols of the first control characters. U+2421 is that of deletion. */
function toMark(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : toEscape(character)
}

/** A text of someone else with visible marks instead of control characters, in one line. */
export const toVisible = (text: string) => text.replace(controls, toMark)

/** A text of several lines with visible marks instead of control characters. Keeps line breaks. */
export const toVisibleLines = (text: string) => text.replace(controlsInLines, toMark)
