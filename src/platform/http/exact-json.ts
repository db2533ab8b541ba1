import { ApiError, type Issue, invalid } from '../errors.ts'
import { toJsonPointer } from '../lib/encoding/json-pointer.ts'
import { limits } from './fields.ts'

/** Maximum nesting of a member whose text is stored, the member included. JSON parsers of all receivers accept it. */
export const maxDepth = 100
/** Maximum number of issues that one body reports. */
const maxIssues = 100

type BodyIssue = Issue & { pointer: string }
type Path = readonly (string | number)[]

const tooDeep = (path: Path): BodyIssue => ({
  pointer: toJsonPointer(path.slice(0, 1)),
  code: 'invalid_value',
  message: `must not be nested deeper than ${maxDepth} levels`,
})
const notFinite = (path: Path): BodyIssue => ({
  pointer: toJsonPointer(path),
  code: 'too_large',
  message: 'must be a finite number',
})
const badText = (path: Path): BodyIssue => ({
  pointer: toJsonPointer(path),
  code: 'invalid_character',
  message: 'must not contain NUL or an unpaired surrogate',
})
const badName = (path: Path): BodyIssue => ({
  pointer: toJsonPointer(path),
  code: 'invalid_character',
  message: 'must not contain a name with NUL or an unpaired surrogate',
})
const duplicateName = (path: Path): BodyIssue => ({
  pointer: toJsonPointer(path),
  code: 'duplicate',
  message: 'has a name that another member of the same object has',
})

/** Whether every receiver can read a text: PostgreSQL rejects NUL, and UTF-8 cannot encode an unpaired surrogate. */
const isReadable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Returns the index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charAt(first - 1) === '\\') first--
    if ((end - first) % 2 === 0) return end + 1
  }
  return text.length
}

/** Decodes a JSON string. */
function stringOf(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1)
  const value: unknown = JSON.parse(token)
  return String(value)
}

const isBlank = (character: string) =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'

/** A number, `true`, `false` or `null`. */
const scalar = /[^\s,\]}]+/y

/** A list or an object that contains the current position, and the position within it. */
interface Frame {
  /** Undefined in lists. */
  names: Set<string> | undefined
  key: string | number
  /** Whether a name is expected next. */
  isBeforeName: boolean
}

/** JSON text of each member of an object, by name and without white space, and the members that receivers could misread. */
interface Members {
  texts: ReadonlyMap<string, string>
  issues: readonly BodyIssue[]
}

/**
 * Reads the members of a JSON object without parsing their values: doubles round integers, objects reorder names, and zod drops
 * `__proto__`. Requires text that `JSON.parse` accepts as an object.
 */
export function readMembers(text: string): Members {
  const texts = new Map<string, string>()
  const issues: BodyIssue[] = []
  const open: Frame[] = []
  /** Text of the current member so far, and the start of the part that is not copied yet. */
  let parts: string[] = []
  let start = 0
  const path = () => open.map(({ key }) => key)
  const report = (issue: BodyIssue) => {
    if (issues.length < maxIssues) issues.push(issue)
  }
  const take = (end: number, next: number) => {
    if (end > start) parts.push(text.slice(start, end))
    start = next
  }
  const endMember = (end: number) => {
    const [body] = open
    if (open.length !== 1 || body === undefined || body.isBeforeName) return
    take(end, end)
    texts.set(String(body.key), parts.join(''))
  }

  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index)
    const inner = open.at(-1)
    if (isBlank(character)) {
      take(index, index + 1)
      index++
    } else if (character === '{' || character === '[') {
      if (open.length > maxDepth) {
        report(tooDeep(path()))
        return { texts, issues }
      }
      const isList = character === '['
      open.push({ names: isList ? undefined : new Set(), key: isList ? 0 : '', isBeforeName: !isList })
      index++
    } else if (character === '}' || character === ']') {
      endMember(index)
      open.pop()
      index++
    } else if (character === ',') {
      endMember(index)
      if (inner?.names) inner.isBeforeName = true
      else if (typeof inner?.key === 'number') inner.key++
      index++
    } else if (character === ':') {
      index++
      if (open.length === 1) {
        parts = []
        start = index
      }
    } else if (character === '"') {
      const end = endOfString(text, index)
      const value = stringOf(text.slice(index, end))
      if (inner?.names && inner.isBeforeName) {
        if (!isReadable(value)) report(badName(path().slice(0, -1)))
        inner.key = value
        inner.isBeforeName = false
        if (inner.names.has(value)) report(duplicateName(path()))
        inner.names.add(value)
      } else if (!isReadable(value)) report(badText(path()))
      index = end
    } else {
      scalar.lastIndex = index
      const [token = ''] = scalar.exec(text) ?? []
      if (Math.abs(Number(token)) === Number.POSITIVE_INFINITY) report(notFinite(path()))
      index += token.length
    }
  }
  return { texts, issues }
}

/** The error of a body that is too large. */
export const bodyTooLarge = (maxBytes: number = limits.bodyBytes) =>
  new ApiError('body_too_large', `The body has more than ${maxBytes} bytes.`)

const isPlain = (value: object) => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/**
 * Serializes an object from another Worker, with the size limit of a body. Throws for values that JSON cannot represent:
 * `JSON.stringify` would omit or change them.
 */
export function writeJson(body: object): string {
  const parts: string[] = []
  /**
   * Length in UTF-16 units, which is at most the number of bytes. An object that occurs several times is written each time, so the text may be much
   * longer than the message.
   */
  let length = 0
  const path: (string | number)[] = []
  const put = (part: string) => {
    length += part.length
    if (length > limits.bodyBytes) throw bodyTooLarge()
    parts.push(part)
  }
  const inside = (key: string | number, value: unknown) => {
    path.push(key)
    write(value)
    path.pop()
  }
  const unwritable = () =>
    invalid([{ pointer: toJsonPointer(path), code: 'invalid_type', message: 'cannot be written as JSON' }])

  function write(value: unknown): void {
    if (value === null || typeof value === 'boolean') put(String(value))
    else if (typeof value === 'string') put(JSON.stringify(value))
    else if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw invalid([notFinite(path)])
      put(Object.is(value, -0) ? '-0' : String(value))
    } else if (typeof value !== 'object') throw unwritable()
    else if (path.length > maxDepth) throw invalid([tooDeep(path)])
    else if (Array.isArray(value)) writeList(value)
    else if (isPlain(value)) writeObject(value)
    else throw unwritable()
  }
  function writeList(list: readonly unknown[]): void {
    put('[')
    for (let index = 0; index < list.length; index++) {
      if (index > 0) put(',')
      // A hole in an array is undefined.
      inside(index, list[index])
    }
    if (Object.keys(list).length !== list.length) throw unwritable()
    put(']')
  }
  function writeObject(value: object): void {
    put('{')
    for (const [index, [key, member]] of Object.entries(value).entries()) {
      put(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`)
      inside(key, member)
    }
    put('}')
  }

  write(body)
  const text = parts.join('')
  if (new TextEncoder().encode(text).length > limits.bodyBytes) throw bodyTooLarge()
  return text
}
