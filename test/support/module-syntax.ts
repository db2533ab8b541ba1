import { parseAst } from 'vitest/node'

/** A node of a tree of syntax, with its own fields. */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
export const listNodes = (value: unknown): Node[] => [value].flat().filter(isNode)
/** Parts of a node that are types. They change nothing. */
const typeParts = new Set(['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments'])
export function getChildren(node: Node): Node[] {
  const children: Node[] = []
  for (const [name, part] of Object.entries(node)) {
    if (typeof part !== 'object' || typeParts.has(name)) continue
    for (const each of Array.isArray(part) ? part : [part]) if (isNode(each)) children.push(each)
  }
  return children
}
export const getName = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '')
export const isFunction = ({ type }: Node) => /^(?:Arrow)?Function/.test(type)

export function parseModule(source: string): Node[] {
  const program: unknown = parseAst(source, { lang: 'ts' })
  return isNode(program) ? listNodes(program['body']) : []
}

/** The names that a pattern binds or assigns. Of `a.b[c]` it is `a`, of which the expression changes a part. */
export function listTargets(node: unknown): string[] {
  if (!isNode(node)) return []
  if (node.type === 'Identifier') return [getName(node)]
  if (node.type === 'MemberExpression') return listTargets(node['object'])
  const parts = [
    node['properties'],
    node['elements'],
    node['value'],
    node['left'],
    node['argument'],
    node['expression'],
  ]
  return parts.flat().flatMap(listTargets)
}

/** The declaration in a statement that exports one. */
export const unwrap = (node: Node): Node =>
  node.type === 'ExportNamedDeclaration' && isNode(node['declaration']) ? node['declaration'] : node
