/** Digits of a number that a double represents exactly. */
const exactDigits = 15

/**
 * JSON of a value with sorted member names: values that mean the same have the same text. Members that are undefined are left out. The
 * depth of the value must be limited.
 */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** The same of JSON text. Numbers that a double does not represent exactly count as they are written. */
export const canonicalizeJson = (text: string): string =>
  toCanonicalJson(
    JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && (context?.source ?? '').replace(/[^0-9]/g, '').length > exactDigits
        ? { number: context?.source }
        : value,
    ),
  )
