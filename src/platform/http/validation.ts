import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { ApiError, type Issue, type IssueCode, invalid, issueCodes } from '../errors.ts'
import { parseJsonPointer, toJsonPointer } from '../lib/encoding/json-pointer.ts'
import { findProtoMembers } from '../lib/schema-guard.ts'
import { readMembers } from './exact-json.ts'

/** The valid fields of a body, and all issues. */
export interface ParsedBody {
  /** The valid fields. */
  patch: Readonly<Record<string, unknown>>
  issues: readonly Issue[]
  /** JSON text of each member of the body, if it is stored. */
  texts?: ReadonlyMap<string, string>
}

type Path = readonly PropertyKey[]

const getAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

const isIssueCode = (code: unknown): code is IssueCode => issueCodes.some((known) => known === code)

/** Whether the value is a number that JSON can express but a double cannot. As a string it fails only after conversion. */
const isInfinite = (issue: z.core.$ZodIssue, value: unknown) =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'string' && issue.code === 'invalid_type' && issue.expected === 'number'

/** Converts an issue of zod. Its codes do not distinguish a missing value from a value of another type. */
function describeIssue(issue: z.core.$ZodIssue, input: unknown): { code: IssueCode; message: string } {
  const { message } = issue
  const value = getAt(input, issue.path)
  switch (issue.code) {
    case 'custom':
      return { code: isIssueCode(issue.params?.['code']) ? issue.params['code'] : 'invalid_value', message }
    case 'invalid_format':
    case 'invalid_value':
      return value === undefined || value === null
        ? { code: 'required', message: 'must be given' }
        : { code: issue.code, message }
    default:
      if (value === undefined || value === null) return { code: 'required', message: 'must be given' }
      return isInfinite(issue, value)
        ? { code: 'too_large', message: 'must be a finite number' }
        : { code: 'invalid_type', message }
  }
}

/** Returns the issues of the alternative with the JSON type of the value. */
function getIntendedIssues({ errors, path }: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | undefined {
  const isOfOtherType = ({ code, path }: z.core.$ZodIssue) =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
  return errors
    .find((alternative) => !alternative.some(isOfOtherType))
    ?.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
}

const unknownField = { code: 'unknown_field', message: 'is not a field of this object' } as const

function* toIssues(
  found: readonly z.core.$ZodIssue[],
  input: unknown,
  readOnly: ReadonlySet<string>,
): Iterable<Issue & { pointer: string }> {
  for (const issue of found) {
    const inner = issue.code === 'invalid_union' ? getIntendedIssues(issue) : undefined
    if (inner) {
      yield* toIssues(inner, input, readOnly)
      continue
    }
    if (issue.code !== 'unrecognized_keys') {
      yield { pointer: toJsonPointer(issue.path), ...describeIssue(issue, input) }
      continue
    }
    for (const key of issue.keys) {
      const pointer = toJsonPointer([...issue.path, key])
      yield issue.path.length === 0 && readOnly.has(key)
        ? { pointer, code: 'read_only_field', message: 'is set by the service' }
        : { pointer, ...unknownField }
    }
  }
}

/** Returns the top-level field of a pointer. */
export const getTopField = (pointer: string) => parseJsonPointer(pointer)[0]

/** Removes invalid parts from a value. A list with an invalid element is removed as a whole, so that no index changes. */
function withoutPaths(value: unknown, invalidPaths: readonly (readonly string[])[]): unknown {
  if (invalidPaths.length === 0) return value
  if (invalidPaths.some((path) => path.length === 0) || typeof value !== 'object' || value === null) return undefined
  const inside = Map.groupBy(invalidPaths, ([key]) => key)
  const keep = (inner: unknown, key: string | number) =>
    withoutPaths(inner, inside.get(String(key))?.map(([, ...rest]) => rest) ?? [])
  if (Array.isArray(value)) {
    const kept = value.map(keep)
    return kept.includes(undefined) ? undefined : kept
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, keep(inner, key)])
      .filter(([, inner]) => inner !== undefined),
  )
}

/** Schema of a body, and the same without required fields for the valid part of an invalid body. */
export interface BodyRules<In> {
  schema: z.ZodMiniType<ParsedBody['patch'], In>
  partial: z.ZodMiniType<ParsedBody['patch']>
  readOnly: ReadonlySet<string>
  /** Other rules, or receivers of its text, read parts of the body: they may have members of any name. */
  hasOpenParts?: boolean
  /** Parts of a valid body that an `Idempotency-Key` compares. Default: its fields. */
  toMeaning?(body: ParsedBody): unknown
}

/** Exceeds the number of values of every list. */
const maxValues = 10_000

/** Whether a value contains more values than a valid body can. Not recursive, because the client decides the depth. */
function hasTooManyValues(value: unknown): boolean {
  const pending = [value]
  let count = 0
  while (pending.length > 0 && count <= maxValues) {
    const next = pending.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const inner of Object.values(next)) {
      pending.push(inner)
      count++
    }
  }
  return count > maxValues
}

/**
 * zod passes the issues of a part as arguments of a call, and about 100,000 overflow the stack. A body with so many issues is parsed again without
 * the contents of these fields. Each of them then has one issue.
 */
function parseOrDropCrowded<Out>(schema: z.ZodMiniType<Out>, body: Record<string, unknown>) {
  try {
    return { result: schema.safeParse(body), read: body, crowded: [] }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const crowded = Object.keys(body).filter((key) => hasTooManyValues(body[key]))
    const read = { ...body, ...Object.fromEntries(crowded.map((key) => [key, []])) }
    return { result: schema.safeParse(read), read, crowded }
  }
}

/** Validates each field of a body. Returns the valid ones too, so that rules between fields can be checked. */
export function parseFields<In>(
  { schema, partial, readOnly, hasOpenParts = false }: BodyRules<In>,
  unchecked: Record<string, unknown>,
): ParsedBody {
  const { result, read: body, crowded } = parseOrDropCrowded(schema, unchecked)
  // zod leaves them out of records without an issue.
  const unread = hasOpenParts ? [] : findProtoMembers(unchecked)
  if (result.success && crowded.length === 0 && unread.length === 0) return { patch: result.data, issues: [] }
  const issues = result.success ? [] : [...toIssues(result.error.issues, body, readOnly)]
  const reported = new Set(issues.map(({ pointer }) => pointer))
  for (const pointer of crowded.map((key) => toJsonPointer([key]))) {
    if (!reported.has(pointer)) issues.push({ pointer, code: 'too_many', message: 'has too many elements' })
  }
  for (const path of unread) {
    const isReported = path.some((_, index) => reported.has(toJsonPointer(path.slice(0, index + 1))))
    if (!isReported) issues.push({ pointer: toJsonPointer(path), ...unknownField })
  }
  const paths = issues.map(({ pointer }) => parseJsonPointer(pointer))
  const sound = partial.safeParse(withoutPaths(body, paths))
  // A required part cannot be removed from its field: the field is removed instead.
  const fields = paths.map((path) => path.slice(0, 1))
  return { patch: sound.success ? sound.data : partial.parse(withoutPaths(body, fields)), issues }
}

/** The body of an upsert, validated for either case. */
export interface UpsertBodies {
  create: ParsedBody
  /** Requires no field, but accepts those that only create takes. */
  update: ParsedBody
}

/** Checks the body of an upsert by the rules of create. */
export const parseUpsert = <In>(rules: BodyRules<In>, body: Record<string, unknown>): UpsertBodies => ({
  create: parseFields(rules, body),
  update: parseFields({ ...rules, schema: rules.partial }, body),
})

/** Like `parseFields`, with the JSON text of each member. Reports text that receivers could misread. */
export function parseExactly<In>(rules: BodyRules<In>, given: Record<string, unknown>, text: string): ParsedBody {
  const { patch, issues } = parseFields(rules, given)
  const members = readMembers(text)
  const described = new Set(issues.map((issue) => ('pointer' in issue ? issue.pointer : undefined)))
  return {
    patch,
    issues: [...issues, ...members.issues.filter(({ pointer }) => !described.has(pointer))],
    texts: members.texts,
  }
}

/** The issues of a path parameter. */
export const getParameterIssues = (schema: z.ZodMiniType, parameter: string, value: string): Issue[] =>
  (schema.safeParse(value).error?.issues ?? []).map((issue) => ({ parameter, ...describeIssue(issue, value) }))

/** A parameter without a name, which Hono omits from the query. */
const nameless = /\?(?:.*&)?=/
const namelessIssue: Issue = { parameter: '', code: 'unknown_parameter', message: 'is a parameter without a name' }

/** Throws if a query has issues. */
function requireValidQuery(url: string, found: readonly z.core.$ZodIssue[], input: unknown): void {
  const also = nameless.test(url) ? [namelessIssue] : []
  if (found.length === 0 && also.length === 0) return
  const issues = found.flatMap((issue): Issue[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((parameter) => ({
          parameter,
          code: 'unknown_parameter',
          message: 'is not a parameter of this operation',
        }))
      : [{ parameter: String(issue.path[0]), ...describeIssue(issue, input) }],
  )
  throw invalid([...issues, ...also])
}

/** Checks a query. The problem names every invalid parameter, unknown ones included. */
export const query = <Out extends object, In>(schema: z.ZodMiniType<Out, In>) =>
  zValidator('query', schema, (result, c) =>
    requireValidQuery(c.req.url, result.success ? [] : result.error.issues, result.data),
  )

/** Rejects a path with invalid percent-encoding. */
export function requireDecodablePath(c: Context) {
  if (!c.req.url.includes('%')) return
  try {
    decodeURIComponent(new URL(c.req.url).pathname)
  } catch {
    throw new ApiError('malformed_path', 'The percent-encoding of the path cannot be decoded.')
  }
}
