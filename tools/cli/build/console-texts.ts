type Write = (...values: readonly (string | number)[]) => string

/**
 * The forms of a text with parameters: for any number, for 1 and for 0. `{0}` marks the first parameter, which is the only number that may change the
 * words.
 */
function toForms(write: Write): (string | null)[] {
  const places = Array.from({ length: write.length }, (_, index) => `{${index}}`)
  const any = write(...places)
  const [one, none] = [1, 0].map((count) => {
    const form = write(count, ...places.slice(1))
    return form === any.replaceAll('{0}', String(count)) ? null : form
  })
  return none ? [any, one ?? null, none] : one ? [any, one] : [any]
}

/** Texts of the console as JSON: data, which a browser reads faster than a script. `console/texts/data.ts` reads them. */
export const writeTexts = (texts: object): string =>
  JSON.stringify(texts, (_, value) => (typeof value === 'function' ? toForms(value) : value))
