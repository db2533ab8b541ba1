/** Documented limits of D1. The simulator does not enforce some of them, and enforces others at higher values. */
export const d1Limits = {
  functionArguments: 32,
  parameters: 100,
  sqlBytes: 100_000,
  /** Of a string, a BLOB and a row. */
  valueBytes: 2_000_000,
  queriesPerInvocation: 1_000,
  likePatternBytes: 50,
} as const

const utf8 = new TextEncoder()
const start = (sql: string) => `${sql.trim().slice(0, 80)}…`
const bytesOf = (text: string) => utf8.encode(text).byteLength
/** Bytes of a bound text. One that is certain to fit is not encoded: a UTF-16 unit takes at most three bytes. */
const boundBytes = (text: string) => (text.length * 3 > d1Limits.valueBytes ? bytesOf(text) : text.length)

type Token = { kind: 'name' | 'text' | 'parameter' | 'other'; text: string }

const tokenForm =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\s+|(?<text>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[A-Za-z_][\w$]*)|(?<parameter>\?\d*)|(?<other>[\s\S])/g

const tokensOf = (sql: string): Token[] =>
  [...sql.matchAll(tokenForm)].flatMap(({ groups = {} }): Token[] => {
    for (const kind of ['name', 'text', 'parameter', 'other'] as const) {
      const text = groups[kind]
      if (text !== undefined) return [{ kind, text }]
    }
    return []
  })

/** Words in front of a parenthesis that is no call, and words in front of the name of a table or index. */
const notCalled =
  /^(?:in|values|select|from|where|and|or|not|as|on|over|exists|check|key|unique|using|by|when|then|else|case|set|union|all|filter|distinct|returning|is|between|limit|having)$/i
const naming = /^(?:into|table|index|on|references|with|recursive|view|trigger|update|exists)$/i

/** Calls of functions with more arguments than D1 allows, and LIKE and GLOB patterns: literal, or the number of a parameter. */
function inspectStatement(sql: string) {
  const tokens = tokensOf(sql)
  const calls: { name: string; count: number }[] = []
  const patterns: (string | number)[] = []
  const open: { name: string | undefined; commas: number; isEmpty: boolean }[] = []
  let parameters = 0
  for (const [index, { kind, text }] of tokens.entries()) {
    const before = tokens[index - 1]
    if (kind === 'parameter') parameters++
    const inner = open.at(-1)
    if (inner && text !== ')') inner.isEmpty = false
    if (/^(?:like|glob)$/i.test(before?.text ?? '') && before?.kind === 'name') {
      if (kind === 'text') patterns.push(text.slice(1, -1).replaceAll("''", "'"))
      if (kind === 'parameter') patterns.push(parameters - 1)
    }
    if (text === '(') {
      const isCall =
        before?.kind === 'name' && !notCalled.test(before.text) && !naming.test(tokens[index - 2]?.text ?? '')
      open.push({ name: isCall ? before.text : undefined, commas: 0, isEmpty: true })
    } else if (text === ',' && inner) inner.commas++
    else if (text === ')') {
      const closed = open.pop()
      if (closed?.name !== undefined) calls.push({ name: closed.name, count: closed.isEmpty ? 0 : closed.commas + 1 })
    }
  }
  return { calls, patterns }
}

const known = new Map<string, ReturnType<typeof inspectStatement> & { bytes: number }>()
function inspectOnce(sql: string) {
  const seen = known.get(sql) ?? { ...inspectStatement(sql), bytes: bytesOf(sql) }
  known.set(sql, seen)
  return seen
}

/** Limits of D1 that the text of a statement exceeds. */
export function* violationsOfText(sql: string): Iterable<string> {
  const { calls, patterns, bytes } = inspectOnce(sql)
  if (bytes > d1Limits.sqlBytes) yield `SQL text of ${bytes} bytes: ${start(sql)}`
  for (const { name, count } of calls) {
    if (count > d1Limits.functionArguments) yield `${name}() with ${count} arguments: ${start(sql)}`
  }
  for (const pattern of patterns) {
    if (typeof pattern === 'string' && bytesOf(pattern) > d1Limits.likePatternBytes) yield `LIKE pattern ${pattern}`
  }
}

/** Limits of D1 that the values bound to a statement exceed. */
export function* violationsOfValues(sql: string, values: readonly unknown[]): Iterable<string> {
  if (values.length > d1Limits.parameters) yield `${values.length} parameters: ${start(sql)}`
  for (const value of values) {
    const size = typeof value === 'string' ? boundBytes(value) : value instanceof ArrayBuffer ? value.byteLength : 0
    if (size > d1Limits.valueBytes) yield `a value of ${size} bytes: ${start(sql)}`
  }
  for (const pattern of inspectOnce(sql).patterns) {
    const value = typeof pattern === 'number' ? values[pattern] : undefined
    if (typeof value === 'string' && bytesOf(value) > d1Limits.likePatternBytes) yield `LIKE pattern ${value}`
  }
}
