import { type Alias, isAlias, isCollection, isMap, isScalar, isSeq, LineCounter, parseDocument, stringify } from 'yaml'
import type { FileIssue, Position } from './file-issues.ts'
import { toPointer } from './json-pointer.ts'

/** Maximum number of values of a file, with those that aliases repeat, and maximum depth. */
export const maxValues = 200_000
export const maxDepth = 100
const tooLarge = `must have at most ${maxValues} values in ${maxDepth} levels, aliases included`
/** Messages for those of the reader of YAML that name its program. */
const ofReader = [
  [/call stack/, tooLarge],
  [/multiple documents/, 'must have one document: remove this line, or the documents behind the first'],
] as const

/** A text of YAML as a value, with the position of each part by its JSON pointer. */
export interface YamlText {
  value: unknown
  positions: ReadonlyMap<string, Position>
  issues: readonly FileIssue[]
}

/** Reads YAML 1.2. Keys are the text as it is written, so that `0042` stays an id. */
export function readYaml(source: string): YamlText {
  const lines = new LineCounter()
  // With `uniqueKeys` it compares each key with all others; `take` finds duplicates. With `silent` it ignores a second document.
  const options = { lineCounter: lines, prettyErrors: false, logLevel: 'error', uniqueKeys: false } as const
  const document = parseDocument(source, options)
  const positions = new Map<string, Position>()
  const issues: FileIssue[] = []
  const toPosition = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  for (const { message, pos } of [...document.errors, ...document.warnings]) {
    issues.push({
      pointer: '',
      message: ofReader.find(([form]) => form.test(message))?.[1] ?? message,
      position: toPosition(pos[0]),
    })
  }
  if (issues.length > 0) return { value: undefined, positions, issues }

  let count = 0
  // `Alias.resolve` reads the whole document for each alias.
  const anchors = new Map<string, unknown>()
  const targets = new Map<Alias, unknown>()
  /** The value of a node. Parts of an alias have the position of the alias, and members of objects at least that of their key. */
  function take(node: unknown, pointer: string, depth: number, from?: Position): unknown {
    const isKnown = isAlias(node) || isMap(node) || isSeq(node) || isScalar(node)
    const own = isKnown && node.range ? toPosition(node.range[0]) : undefined
    const position = from ?? own
    if (own && !from && !(isCollection(node) && positions.has(pointer))) positions.set(pointer, own)
    const report = (message: string) => void issues.push({ pointer, message, ...(position && { position }) })
    if (++count > maxValues || depth > maxDepth) {
      if (issues.length === 0) report(tooLarge)
      return undefined
    }
    if (isAlias(node)) {
      // An alias that another one repeats keeps the target of its own place.
      if (!targets.has(node)) targets.set(node, anchors.get(node.source))
      const target = targets.get(node)
      if (target === undefined) return report(`names the anchor ${node.source}, which is not defined before it`)
      return take(target, pointer, depth + 1, position)
    }
    if (isKnown && node.anchor !== undefined && !from) anchors.set(node.anchor, node)
    if (isSeq(node)) return node.items.map((item, index) => take(item, `${pointer}/${index}`, depth + 1, from))
    if (isMap(node)) {
      const members = new Map<string, unknown>()
      for (const { key, value } of node.items) {
        if (!isScalar(key)) {
          report('must have texts as keys')
          continue
        }
        const name = key.source ?? String(key.value)
        const at = pointer + toPointer([name])
        if (key.anchor !== undefined && !from) anchors.set(key.anchor, key)
        const place = from ?? (key.range ? toPosition(key.range[0]) : position)
        if (members.has(name))
          issues.push({ pointer, message: `has the key ${name} twice`, ...(place && { position: place }) })
        if (!from && place) positions.set(at, place)
        members.set(name, value === null ? null : take(value, at, depth + 1, from))
      }
      return Object.fromEntries(members)
    }
    if (!isScalar(node)) return null
    const { value } = node
    if (
      typeof value === 'number' &&
      (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    )
      report(`must be in quotes: ${node.source} is not a number that can be sent`)
    return value
  }
  const value = take(document.contents, '', 0)
  return { value, positions, issues }
}

/** Writes YAML, each text in one line unless it has line breaks. */
export const writeYaml = (value: object): string => stringify(value, { lineWidth: 0 })
