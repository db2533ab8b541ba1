import type * as z from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

const format = (value: number) => value.toLocaleString('en')

const binaryUnits = [
  { unit: 'GiB', bytes: 1024 ** 3 },
  { unit: 'MiB', bytes: 1024 ** 2 },
] as const

/** A number of bytes in the largest unit that does not exceed it: `4 MiB`. */
export function formatSize(size: number): string {
  const { unit, bytes } = binaryUnits.find(({ bytes }) => bytes <= size) ?? { unit: 'KiB', bytes: 1024 }
  return `${format(size / bytes)} ${unit}`
}

/** A limit in bytes, with its size in a larger unit: `8,388,608 bytes (8 MiB)`. */
export const describeBytes = (limit: number) => `${format(limit)} bytes (${formatSize(limit)})`

function describeLength({ minLength = 0, maxLength, trimmed }: JsonSchema): string | undefined {
  if (maxLength === undefined) return undefined
  const range = minLength > 0 ? `${format(minLength)}–${format(maxLength)}` : `Up to ${format(maxLength)}`
  return `${range} characters${trimmed === true ? ' after removal of leading and trailing white space' : ''}.`
}

function describeRange({ type, minimum, maximum = Number.MAX_SAFE_INTEGER, decimals }: JsonSchema): string | undefined {
  const isBounded = maximum < Number.MAX_SAFE_INTEGER
  const places = typeof decimals === 'number' ? `up to ${decimals} decimal places` : undefined
  if (minimum === undefined) return places && `U${places.slice(1)}.`
  const bounds =
    minimum < 0 ? `Between ${format(minimum)} and ${format(maximum)}` : `${format(minimum)}–${format(maximum)}`
  const range = isBounded ? bounds : `${format(minimum)} or more`
  return `${type === 'integer' ? 'Integer, ' : ''}${range}${places ? ` with ${places}` : ''}.`
}

function describeSize({ maxItems, uniqueItems }: JsonSchema): string | undefined {
  if (maxItems === undefined) return undefined
  return `Up to ${format(maxItems)} elements${uniqueItems === true ? ' without duplicates' : ''}.`
}

/** The limits of a field in words, because not all tools show the keywords of its schema. */
export function describeLimits(field: JsonSchema): string | undefined {
  const forms = [field, ...(field.anyOf ?? [])]
  const [text, number, list] = [describeLength, describeRange, describeSize].map((describe) =>
    forms.map(describe).find((words) => words !== undefined),
  )
  return number ?? text ?? list
}
