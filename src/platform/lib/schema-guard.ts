import * as z from 'zod/mini'

/** Returns true if the schema returns the value unchanged. If it returns false, only the schema decides whether the value fits. */
type Guard = (value: unknown) => boolean

/** Checks that only describe a schema: they accept every value. */
const annotations: ReadonlySet<string> = new Set(['describe', 'meta'])

/** The value is an object, neither an array nor null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that a record has itself. Ids of clients can be names such as `toString`, which every object inherits. */
export const getOwn = <Value>(record: Readonly<Record<string, Value>> | undefined, id: string): Value | undefined =>
  record && Object.hasOwn(record, id) ? record[id] : undefined

/** Maximum number of members that `findProtoMembers` returns, and maximum depth of those that it looks at. Schemas of bodies are less deep. */
const protoLimits = { members: 100, depth: 32 } as const

/** Paths of the members named `__proto__` of a value, which was parsed from JSON. */
export function findProtoMembers(value: unknown): string[][] {
  const found: string[][] = []
  const path: string[] = []
  const search = (inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || path.length >= protoLimits.depth) return
    for (const key in inner) {
      path.push(key)
      if (key === '__proto__' && found.length < protoLimits.members) found.push([...path])
      search(Reflect.get(inner, key))
      path.pop()
    }
  }
  search(value)
  return found
}

/** Guard for all other schemas: runs zod and requires the same value. */
const acceptsUnchanged =
  (schema: z.core.$ZodType): Guard =>
  (value) => {
    const { success, data } = z.safeParse(schema, value)
    return success && data === value
  }

function guardObject({ shape }: z.ZodMiniObject): Guard {
  const fields = Object.entries(shape).map(([key, inner]) => ({ key, fits: createGuard(inner) }))
  return (value) => {
    if (!isObject(value)) return false
    for (const key in value) if (!Object.hasOwn(shape, key)) return false
    for (const { key, fits } of fields) if (!fits(value[key])) return false
    return true
  }
}

/**
 * Compiles a schema to closures. A Worker forbids zod's own compiler, which uses `eval`; without it zod interprets the schema for each
 * value.
 */
export function createGuard(schema: z.core.$ZodType): Guard {
  const { checks = [] } = schema._zod.def
  if (!checks.every((check) => annotations.has(check._zod.def.check))) return acceptsUnchanged(schema)
  if (schema instanceof z.ZodMiniOptional) {
    const fits = createGuard(schema.def.innerType)
    return (value) => value === undefined || fits(value)
  }
  if (schema instanceof z.ZodMiniArray) {
    const fits = createGuard(schema.def.element)
    return (value) => Array.isArray(value) && value.every(fits)
  }
  if (schema instanceof z.ZodMiniObject) return guardObject(schema)
  if (schema instanceof z.ZodMiniEnum) {
    const { values } = schema._zod
    return (value) => typeof value === 'string' && values.has(value)
  }
  if (schema instanceof z.ZodMiniBoolean) return (value) => typeof value === 'boolean'
  if (schema instanceof z.ZodMiniStringFormat) return acceptsUnchanged(schema)
  if (schema instanceof z.ZodMiniString) return (value) => typeof value === 'string'
  if (schema instanceof z.ZodMiniNumberFormat) {
    return schema.def.format === 'safeint' ? Number.isSafeInteger : acceptsUnchanged(schema)
  }
  return schema instanceof z.ZodMiniNumber ? Number.isFinite : acceptsUnchanged(schema)
}

/**
 * Returns a function that reads an object of the schema from a record, as `parse` does: its fields in the order of the schema, without unknown ones. Only
 * if a guard does not accept a field, zod decides.
 */
export function createObjectParser<Item extends object>(
  schema: z.ZodMiniType<Item> & { shape: Readonly<Record<string, z.core.$ZodType>> },
): (record: Readonly<Record<string, unknown>>) => Item {
  let fields: { key: string; fits: Guard }[] | undefined
  const fill = (item: object, record: Readonly<Record<string, unknown>>): item is Item => {
    // Created at the first use: an isolate starts without guards.
    fields ??= Object.entries(schema.shape).map(([key, inner]) => ({ key, fits: createGuard(inner) }))
    for (const { key, fits } of fields) {
      const value = record[key]
      if (!fits(value)) return false
      if (value !== undefined) Reflect.set(item, key, value)
    }
    return true
  }
  return (record) => {
    const item = {}
    return fill(item, record) ? item : schema.parse(record)
  }
}
