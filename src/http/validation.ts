import { zValidator } from '@hono/zod-validator'
import type * as z from 'zod/mini'
import { type Issue, type IssueCode, invalid, issueCodes } from '../errors.ts'
import { toJsonPointer } from '../lib/json-pointer.ts'
import { readMembers } from './exact-json.ts'

/** A body as far as it could be understood, and everything that is wrong with it. */
export interface ParsedBody {
  /** The fields without fault. */
  patch: Readonly<Record<string, unknown>>
  issues: readonly Issue[]
  /** The JSON text of each member of the body, where it is kept. */
  texts?: ReadonlyMap<string, string>
}

type Path = readonly PropertyKey[]

const getAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

const isIssueCode = (code: unknown): code is IssueCode => issueCodes.some((known) => known === code)

/** Whether it is a number that JSON can write but no double can hold. As text, it fails only once it has been made a number. */
const isInfinite = (issue: z.core.$ZodIssue, value: unknown) =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'string' && issue.code === 'invalid_type' && issue.expected === 'number'

/** zod's issue in our words; its own codes do not tell "missing" from "of another type". */
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

/** The faults of the one alternative that the value was meant for: that of its own JSON type. */
function getIntendedIssues({ errors, path }: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | undefined {
  const isOfOtherType = ({ code, path }: z.core.$ZodIssue) =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
  return errors
    .find((alternative) => !alternative.some(isOfOtherType))
    ?.map((fault) => ({ ...fault, path: [...path, ...fault.path] }))
}

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
        : { pointer, code: 'unknown_field', message: 'is not a field of this object' }
    }
  }
}

const parseJsonPointer = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The field at the top of the body that a pointer leads into. */
export const getTopField = (pointer: string) => parseJsonPointer(pointer)[0]

/** A value without what is at fault in it. A list goes whole with an element of it, lest the others change places. */
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

/** The schema a body has to fit, and the same with nothing required, for what is left of a body with faults. */
export interface BodyRules<In> {
  schema: z.ZodMiniType<ParsedBody['patch'], In>
  partial: z.ZodMiniType<ParsedBody['patch']>
  readOnly: ReadonlySet<string>
}

/** More values than any list of ours may hold. */
const maxValues = 10_000

/** Whether there are more values in a value than could be right. Without recursion: its depth is the client's. */
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
 * zod hands the faults of a part on as arguments of a call, and some 100,000 do not fit on the stack. A body with as many
 * is read again without what is in its crowded fields, which then have one fault each.
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

/** Checks a body's fields, each for itself. The faultless ones are kept, so that rules between them can be checked as well. */
export function parseFields<In>(
  { schema, partial, readOnly }: BodyRules<In>,
  unchecked: Record<string, unknown>,
): ParsedBody {
  const { result, read: body, crowded } = parseOrDropCrowded(schema, unchecked)
  if (result.success && crowded.length === 0) return { patch: result.data, issues: [] }
  const issues = result.success ? [] : [...toIssues(result.error.issues, body, readOnly)]
  const reported = new Set(issues.map(({ pointer }) => pointer))
  for (const pointer of crowded.map((key) => toJsonPointer([key]))) {
    if (!reported.has(pointer)) issues.push({ pointer, code: 'too_many', message: 'has too many elements to look at' })
  }
  const paths = issues.map(({ pointer }) => parseJsonPointer(pointer))
  const sound = partial.safeParse(withoutPaths(body, paths))
  // What is required inside a field cannot be taken out of it: then the field goes.
  const fields = paths.map((path) => path.slice(0, 1))
  return { patch: sound.success ? sound.data : partial.parse(withoutPaths(body, fields)), issues }
}

/** The same as `parseFields`, and the text of each member, where every receiver can read it as it was meant. */
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

/** A parameter without a name, which Hono leaves out of the query. */
const nameless = /\?(?:.*&)?=/
const namelessIssue: Issue = { parameter: '', code: 'unknown_parameter', message: 'is a parameter without a name' }

/** Checks a query; every parameter at fault is named, unknown ones too. */
export const query = <Out extends object, In>(schema: z.ZodMiniType<Out, In>) =>
  zValidator('query', schema, (result, c) => {
    const also = nameless.test(c.req.url) ? [namelessIssue] : []
    if (result.success && also.length === 0) return
    const found = result.success ? [] : result.error.issues
    const issues = found.flatMap((issue): Issue[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((parameter) => ({
            parameter,
            code: 'unknown_parameter',
            message: 'is not a parameter of this operation',
          }))
        : [{ parameter: String(issue.path[0]), ...describeIssue(issue, result.data) }],
    )
    throw invalid([...issues, ...also])
  })
