/** `new URL` strips or encodes blanks and control characters silently; an address that needs that was not meant. */
export const hasBlanks = (value: string) => /[\s\p{Cc}]/u.test(value)
export const isWebAddress = (value: string) => /^https?:\/\//i.test(value) && !hasBlanks(value) && URL.canParse(value)
