/** A JSON pointer, RFC 6901. */
export const toJsonPointer = (path: readonly PropertyKey[]) =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The keys of a JSON pointer, RFC 6901: the inverse of `toJsonPointer`. */
export const parseJsonPointer = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
