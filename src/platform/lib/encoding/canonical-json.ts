/** Maximum number of digits that a double always represents exactly. */
const exactDigits = 15

/**
 * JSON of a value with sorted member names: equal values have equal texts. Members that are undefined are left out. The depth of the value must be
 * limited.
 */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Canonical JSON of a JSON text. Keeps the spelling of numbers that a double cannot represent exactly. */
export const canonicalizeJson = (text: string): string =>
  toCanonicalJson(
    JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && (context?.source ?? '').replace(/[^0-9]/g, '').length > exactDigits
        ? { number: context?.source }
        : value,
    ),
  )
