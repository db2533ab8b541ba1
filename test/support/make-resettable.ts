import { getName, isNode, listNodes, parseModule, unwrap } from './module-syntax.ts'

/** A module that adds a function to `globalThis.moduleResets` which sets some of its variables to their first values again. */
export function makeResettable(source: string, names: readonly string[]): string {
  const statements = parseModule(source)
    .map(unwrap)
    .filter(({ type }) => type === 'VariableDeclaration')
  const resets: string[] = []
  let text = source
  for (const name of names) {
    const statement = statements.find(({ declarations }) =>
      listNodes(declarations).some(({ id }) => getName(id) === name),
    )
    if (!statement) throw new Error(`no variable ${name}: see module-variables.ts`)
    const init = listNodes(statement['declarations']).find(({ id }) => getName(id) === name)?.['init']
    resets.push(`${name} = ${isNode(init) ? source.slice(init.start, init.end) : 'undefined'}`)
    // Of the same length, so that the places of the other declarations stay.
    if (statement['kind'] === 'const')
      text = `${text.slice(0, statement.start)}let  ${text.slice(statement.start + 'const'.length)}`
  }
  return `${text}\n;(globalThis.moduleResets ??= new Set()).add(() => { ${resets.join('; ')} })`
}
