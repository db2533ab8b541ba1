/** A JSON pointer (RFC 6901). */
export const toPointer = (path: readonly (string | number)[]) =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
