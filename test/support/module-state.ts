import { posix } from 'node:path'
import {
  getChildren,
  getName,
  isFunction,
  isNode,
  listNodes,
  listTargets,
  type Node,
  parseModule,
  unwrap,
} from './module-syntax.ts'

/** The declarations of variables and functions in a function, without those in the functions inside it. */
const listDeclarations = (node: Node): Node[] =>
  getChildren(node).flatMap((child) => {
    const own = child.type === 'VariableDeclarator' || child.type === 'FunctionDeclaration' ? [child] : []
    return isFunction(child) ? own : [...own, ...listDeclarations(child)]
  })
const listLocals = (node: Node): string[] => [
  ...listNodes(node['params']).flatMap(listTargets),
  ...listDeclarations(node).flatMap(({ id }) => listTargets(id)),
]

const changingMethods = new Set(
  'add clear copyWithin delete fill pop push reverse set shift sort splice unshift'.split(' '),
)
const changingFunctions = new Set(['Object.assign', 'Object.defineProperty', 'Reflect.set', 'Reflect.deleteProperty'])

/** The names whose value an expression changes, and how: by a method of the value itself, or by a match of a regular expression. */
function listChanged(node: Node): { names: string[]; how?: 'called' | 'matched' } {
  if (node.type === 'AssignmentExpression') return { names: listTargets(node['left']) }
  if (node.type === 'UpdateExpression') return { names: listTargets(node['argument']) }
  if (node.type === 'UnaryExpression' && node['operator'] === 'delete') return { names: listTargets(node['argument']) }
  const { callee } = node
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return { names: [] }
  const { object, property } = callee
  const method = getName(property)
  if (changingFunctions.has(`${getName(object)}.${method}`)) {
    const [first] = listNodes(node['arguments'])
    return { names: first && /^(?:Identifier|MemberExpression)$/.test(first.type) ? listTargets(first) : [] }
  }
  const isPath = isNode(object) && /^(?:Identifier|MemberExpression)$/.test(object.type)
  if (!isPath || !(changingMethods.has(method) || /^(?:exec|test)$/.test(method))) return { names: [] }
  if (!changingMethods.has(method)) return { names: listTargets(object), how: 'matched' }
  return object.type === 'Identifier' ? { names: listTargets(object), how: 'called' } : { names: listTargets(object) }
}

interface Changes {
  /** Changed while the module is loaded. */
  built: Set<string>
  /** Changed by functions, at any time. */
  changed: Set<string>
  /** Has a method that functions call, such as `add` of a set. An object of functions may have one of the same name. */
  called: Set<string>
  /** Regular expressions that functions match. */
  matched: Set<string>
}
/** Names of a module that its code changes, without names of parameters and of variables inside functions. */
function findChanges(nodes: readonly Node[]): Changes {
  const changes: Changes = { built: new Set(), changed: new Set(), called: new Set(), matched: new Set() }
  const visit = (node: Node, hidden: ReadonlySet<string>, isInside: boolean) => {
    const isOwn = isFunction(node)
    const hiding = isOwn ? new Set([...hidden, ...listLocals(node)]) : hidden
    const { names, how = 'changed' } = listChanged(node)
    const found = isInside ? changes[how] : changes.built
    for (const name of names) if (!hiding.has(name)) found.add(name)
    for (const child of getChildren(node)) visit(child, hiding, isInside || isOwn)
  }
  for (const node of nodes) visit(node, new Set(), false)
  return changes
}

/** Nodes of an expression that are evaluated together with it: without the bodies of functions. */
const listEvaluated = (node: unknown): Node[] =>
  listNodes(node).flatMap((each) => [each, ...(isFunction(each) ? [] : getChildren(each).flatMap(listEvaluated))])

/** A variable of a module, or a static field of a class in it. */
interface ModuleVariable {
  name: string
  isConstant: boolean
  /** Its declaration of a type says that it does not change. */
  isReadonly: boolean
  init: Node | undefined
}
function listVariables(body: readonly Node[], source: string): ModuleVariable[] {
  const variables = body.map(unwrap).filter(({ type }) => type === 'VariableDeclaration')
  return variables.flatMap((statement) =>
    listNodes(statement['declarations']).flatMap(({ id, init }) =>
      listTargets(id).map((name) => {
        const text = isNode(id) ? source.slice(id.start, id.end) : ''
        const isReadonly = /: (?:readonly |Readonly)/.test(text)
        return { name, isConstant: statement['kind'] === 'const', isReadonly, init: isNode(init) ? init : undefined }
      }),
    ),
  )
}

const containers = new Set(['Map', 'Set', 'WeakMap', 'WeakSet'])
/** Classes whose objects keep nothing from one use to the next, or only what is never read as a value. */
const stateless = new Set([
  ...['AsyncLocalStorage', 'Date', 'DisplayNames', 'Hono', 'Promise', 'RegExp', 'Segmenter', 'TextDecoder'],
  ...['TextEncoder', 'URL', 'Uint8Array', 'Uint16Array', 'Uint32Array', 'Int32Array', 'Error', 'NumberFormat'],
])
const isEmpty = (node: Node) => listNodes(node['arguments']).length === 0

/** Whether an initial value is an object that exists to be changed: an empty container, or an object of a class of ours. */
function isChangeable(init: Node | undefined): boolean {
  return listEvaluated(init).some((node) => {
    if (node.type !== 'NewExpression' || !isNode(node['callee'])) return false
    const { callee } = node
    const name = getName(callee.type === 'MemberExpression' ? callee['property'] : callee)
    return containers.has(name) ? node === init && isEmpty(node) : !stateless.has(name)
  })
}

/** Whether an initial value is an object of functions, whose names say nothing about changes. */
const hasMethods = (init: Node | undefined) =>
  init?.type === 'ObjectExpression' || (init?.type === 'CallExpression' && getName(init['callee']) === 'drizzle')

/** Whether a regular expression keeps the position of its last match. */
const keepsPosition = (init: Node | undefined, source: string) =>
  init !== undefined && /\/[a-z]*[gy][a-z]*$|, '[a-z]*[gy][a-z]*'\)$/.test(source.slice(init.start, init.end))

/** Functions of a module that return functions which change a variable they share: each call of theirs makes something that keeps state. */
function listFactories(body: readonly Node[]): string[] {
  const functions = body.map(unwrap).flatMap((node): [string, Node][] => {
    if (node.type === 'FunctionDeclaration') return [[getName(node['id']), node]]
    return listNodes(node['declarations']).flatMap(({ id, init }): [string, Node][] =>
      isNode(init) && isFunction(init) ? [[getName(id), init]] : [],
    )
  })
  return functions.flatMap(([name, node]) => {
    const inner = listNodes(node['body']).flatMap(function collect(each): Node[] {
      return isFunction(each) ? [each] : getChildren(each).flatMap(collect)
    })
    const results = [
      ...(isNode(node['body']) && node['body'].type !== 'BlockStatement' ? [node['body']] : []),
      ...listNodes(node['body']).flatMap(function collect(each): Node[] {
        if (isFunction(each)) return []
        return each.type === 'ReturnStatement' ? listNodes(each['argument']) : getChildren(each).flatMap(collect)
      }),
    ]
    const returnsFunctions = results.some(
      (result) => /^(?:Arrow|Function|Object)/.test(result.type) && listEvaluated(result).some(isFunction),
    )
    const { changed, called } = findChanges(inner)
    const isShared = listDeclarations(node).some(({ id, init }) =>
      listTargets(id).some(
        (local) => changed.has(local) || (called.has(local) && isNode(init) && /^(?:New|Array)/.test(init.type)),
      ),
    )
    return returnsFunctions && isShared ? [name] : []
  })
}

/** Names of the functions that a module calls while it is loaded. */
const listCalls = (body: readonly Node[]): string[] =>
  body
    .map(unwrap)
    .filter(({ type }) => !/^(?:Function|Class|Import|TS)/.test(type))
    .flatMap(listEvaluated)
    .flatMap(({ type, callee }) => (type === 'CallExpression' ? getName(callee) : []))

/** Files and names that a module imports, by the names that it gives them. */
function listImports(file: string, body: readonly Node[]): Map<string, string> {
  const imports = body.filter(({ type }) => type === 'ImportDeclaration')
  return new Map(
    imports.flatMap(({ source, specifiers }) => {
      const path = isNode(source) ? String(source['value']) : ''
      if (!path.startsWith('.')) return []
      const from = posix.join(posix.dirname(file), path)
      return listNodes(specifiers).map((each): [string, string] => [
        getName(each['local']),
        `${from} ${getName(each['imported'])}`,
      ])
    }),
  )
}

/**
 * Variables of modules that keep something from one use to the next, as `file name`. `users` are further modules that may change them,
 * such as tests. Of a function that makes functions which keep something, it has `name()` if a module calls it while it is loaded.
 */
export function findModuleState(
  modules: ReadonlyMap<string, string>,
  users: ReadonlyMap<string, string> = new Map(),
): string[] {
  const parsed = new Map([...modules, ...users].map(([file, source]) => [file, parseModule(source)]))
  const changes = new Map([...parsed].map(([file, body]) => [file, findChanges(body)]))
  /** Names of other modules that modules change. */
  const listImported = (select: (changes: Changes) => Iterable<string>) =>
    new Set(
      [...parsed].flatMap(([file, body]) => {
        const imports = listImports(file, body)
        const own = changes.get(file)
        return own ? Array.from(select(own)).flatMap((name) => imports.get(name) ?? []) : []
      }),
    )
  const changedElsewhere = listImported(({ built, changed }) => [...built, ...changed])
  const calledElsewhere = listImported(({ called }) => called)
  const used = new Set([...modules.keys()].flatMap((file) => listCalls(parsed.get(file) ?? [])))
  return [...modules].flatMap(([file, source]) => {
    const body = parsed.get(file) ?? []
    const { built, changed, called, matched } = changes.get(file) ?? findChanges(body)
    const variables = listVariables(body, source).filter(
      ({ name, isConstant, isReadonly, init }) =>
        !isConstant ||
        changed.has(name) ||
        ((called.has(name) || calledElsewhere.has(`${file} ${name}`)) && !hasMethods(init)) ||
        changedElsewhere.has(`${file} ${name}`) ||
        (!isReadonly && !built.has(name) && isChangeable(init)) ||
        (matched.has(name) && keepsPosition(init, source)),
    )
    const fields = body
      .map(unwrap)
      .filter(({ type }) => type === 'ClassDeclaration')
      .flatMap(({ id, body: members }) =>
        (isNode(members) ? listNodes(members['body']) : [])
          .filter((member) => member.type === 'PropertyDefinition' && member['static'] === true)
          .map(({ key }) => `${getName(id)}.${getName(key)}`),
      )
    const factories = listFactories(body).filter((name) => used.has(name))
    const names = [...variables.map(({ name }) => name), ...fields, ...factories.map((name) => `${name}()`)]
    return [...names, ...(changed.has('globalThis') ? ['globalThis'] : [])].map((name) => `${file} ${name}`)
  })
}
