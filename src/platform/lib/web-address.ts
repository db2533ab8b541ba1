/** `new URL` silently strips or encodes white space and control characters, so callers reject URLs that contain them. */
export const hasBlanks = (value: string) => /[\s\p{Cc}]/u.test(value)
/** Whether a text is an `http` or `https` URL. */
export const isWebAddress = (value: string) => /^https?:\/\//i.test(value) && !hasBlanks(value) && URL.canParse(value)
