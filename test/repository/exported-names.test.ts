import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

const cwd = resolve(import.meta.dirname, '../..')
/** The files of each program. Two programs may use one name. */
const programs = {
  src: '{src,tools}/**/*.ts',
  console: 'console/**/*.{ts,tsx}',
  client: 'packages/client/src/**/*.ts',
  cli: 'packages/cli/src/**/*.ts',
  mcp: 'packages/mcp/src/**/*.ts',
  server: 'packages/server/src/**/*.ts',
}

/** Names that several files of a program export on purpose. */
const allowed: Readonly<Record<string, string>> = {
  'client BatchOperation': 'The client narrows the type of the document, and exports the narrow one in its place.',
  'client ListedEvent': 'The client narrows the type of the document, and exports the narrow one in its place.',
}
/** Files that declare the same names by design: each for what the group of the pattern matches. */
const parallel: readonly { files: RegExp; reason: string }[] = [
  {
    files: /^src\/storefront\/pages\/(languages|staff)\//,
    reason: 'The code of a language names its texts, for guests and for staff.',
  },
  { files: /^console\/texts\/(de|en)\b/, reason: 'Each language declares the texts of the same screens.' },
  { files: /^console\/screens\/([^/]+)\//, reason: 'Each screen has its store and its form, with the same functions.' },
]

const declaration =
  /^export (?:(?:abstract|async|declare) )*(?:class|const|enum|function\*?|interface|let|type) (\w+)/gm

/** Names that lines of a file seem to declare and export. Some may be in a text. */
const findCandidates = (source: string) => [...source.matchAll(declaration)].flatMap(([, name]) => name ?? [])

/** Where the exports of `src` may be used. */
const users = '{src,tools,test,bench,console,examples,packages}/**/*.{ts,tsx}'

const named = /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']*)'/gm
const namespaced = /^import (?:type )?\* as (\w+) from '(\.[^']*)'/gm
const loaded = /\bimport\(\s*'(\.[^']*)'/g

const toKey = (file: string, name: string) => `${file} ${name}`

/**
 * Names that a file imports or re-exports from others, with their files. Of a namespace these are its members that the file names; of a
 * module that is loaded with `import()`, all words of the file.
 */
function* listUses(file: string, source: string): Iterable<string> {
  const toUse = (path: string, name: string) => toKey(new URL(path, `file:///${file}`).pathname.slice(1), name)
  for (const [, names = '', path = ''] of source.matchAll(named))
    for (const [, name = ''] of names.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g)) yield toUse(path, name)
  for (const [, namespace, path = ''] of source.matchAll(namespaced))
    for (const [, name = ''] of source.matchAll(new RegExp(`\\b${namespace}\\s*\\.(\\w+)`, 'g')))
      yield toUse(path, name)
  for (const [, path = ''] of source.matchAll(loaded))
    for (const [word] of source.matchAll(/\w+/g)) yield toUse(path, word)
}

const parse = (file: string, source: string) => parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })

/** Names that a file declares and exports. Re-exports do not count. */
const getExports = (file: string, source: string) =>
  parse(file, source).body.flatMap((node): string[] => {
    if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return []
    const { declaration } = node
    if (declaration.type === 'VariableDeclaration')
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []))
    return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
  })

/** The files that export each name, where there are several. Only files with a name that others seem to export are parsed. */
function findShared(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const toPairs = (file: string, names: readonly string[]) => [...new Set(names)].map((name) => ({ file, name }))
  const groupShared = (pairs: readonly { file: string; name: string }[]) =>
    [...Map.groupBy(pairs, ({ name }) => name).values()].filter(({ length }) => length > 1).flat()
  const candidates = groupShared([...sources].flatMap(([file, source]) => toPairs(file, findCandidates(source))))
  const parsed = new Map(
    [...new Set(candidates.map(({ file }) => file))].map((file) => [file, getExports(file, sources.get(file) ?? '')]),
  )
  const shared = groupShared(candidates.filter(({ file, name }) => parsed.get(file)?.includes(name)))
  return new Map(
    [...Map.groupBy(shared, ({ name }) => name)].map(([name, found]) => [name, found.map(({ file }) => file)]),
  )
}

/** Names that files export and no other file uses. Only files with a name that seems to be unused are parsed. */
function findUnused(exporting: ReadonlyMap<string, string>, using: ReadonlyMap<string, string>): string[] {
  const used = new Set([...using].flatMap(([file, source]) => [...listUses(file, source)]))
  return [...exporting].flatMap(([file, source]) => {
    const isUnused = (name: string) => !used.has(toKey(file, name))
    if (!findCandidates(source).some(isUnused)) return []
    return getExports(file, source)
      .filter(isUnused)
      .map((name) => toKey(file, name))
  })
}

const functionForms = [
  /^export (?:async )?function\*? (\w+)/,
  /^export const (\w+) = (?:async )?(?:<.*>)?(?:\(|\w+ =>)/,
]

/** Functions that a file exports without a comment on the line before. Overloads have that of the first one. */
function findUndescribed(file: string, source: string): string[] {
  const first = new Map<string, boolean>()
  let before = ''
  for (const line of source.split('\n')) {
    const name = functionForms.map((form) => form.exec(line)?.[1]).find((each) => each !== undefined)
    if (name !== undefined && !first.has(name)) first.set(name, before.endsWith('*/'))
    before = line
  }
  return [...first].flatMap(([name, isDescribed]) => (isDescribed ? [] : toKey(file, name)))
}

/** Whether all files match one pattern in different parts. */
const isParallel = (sharing: readonly string[]) =>
  parallel.some(({ files }) => {
    const parts = sharing.map((file) => files.exec(file)?.[1])
    return !parts.includes(undefined) && new Set(parts).size === parts.length
  })

const readSources = (glob: string) =>
  new Map(
    globSync(glob, { cwd, exclude: ['**/node_modules'] })
      .sort()
      .map((file) => [file, readFileSync(resolve(cwd, file), 'utf8')]),
  )
const sources = Object.entries(programs).map(([program, glob]) => ({ program, files: readSources(glob) }))
const shared = sources.flatMap(({ program, files }) =>
  Array.from(findShared(files), ([name, sharing]) => ({ name: `${program} ${name}`, sharing })),
)

test('finds names that two files export, without re-exports and texts', () => {
  const found = findShared(
    new Map([
      ['a.ts', 'export const a = 1\nexport function* b() {}\nexport type C = 1\nexport class D {}\nconst e = 1'],
      ['b.ts', 'export async function a() {}\nexport const b = 2\nexport interface C {}\nexport abstract class D {}'],
      ['c.ts', "export { a, b } from './a.ts'\nexport const text = `\nexport const a = 1\n`\nexport const e = 1"],
    ]),
  )
  expect([...found]).toEqual(['a', 'b', 'C', 'D'].map((name) => [name, ['a.ts', 'b.ts']]))
})

test('no name is exported by two files of a program, unless for a reason', () => {
  for (const { program, files } of sources) expect(files.size, program).toBeGreaterThan(2)
  expect(shared.filter(({ name, sharing }) => !isParallel(sharing) && !Object.hasOwn(allowed, name))).toEqual([])
})

test('every exception is used', () => {
  const names = new Set(shared.filter(({ sharing }) => !isParallel(sharing)).map(({ name }) => name))
  expect(Object.keys(allowed).filter((name) => !names.has(name))).toEqual([])
  const isUsed = ({ files }: { files: RegExp }) =>
    shared.some(({ sharing }) => sharing.every((file) => files.test(file)))
  expect(parallel.filter((each) => !isUsed(each))).toEqual([])
})

test('finds exports that no other file uses', () => {
  const exporting = new Map([
    ['src/a.ts', 'export const own = 1\nexport const b = own\nexport type C = 1\nexport function d() {}'],
    ['src/e.ts', 'export const f = 1, g = 2\nexport class H {}\nconst text = `\nexport const i = 1\n`'],
  ])
  const using = new Map([
    ...exporting,
    ['src/x/y.ts', "import {\n  b as own,\n  type C,\n} from '../a.ts'\nconst { f } = await import('../e.ts')"],
    ['test/z.ts', "import * as e from '../src/e.ts'\nexport { d } from '../src/a.ts'\nnew e\n  .H()\nconst g = 1"],
  ])
  expect(findUnused(exporting, using)).toEqual(['src/a.ts own', 'src/e.ts g'])
})

test('another file uses each name that a file of src exports', () => {
  const using = readSources(users)
  expect(using.size).toBeGreaterThan(1000)
  expect(findUnused(readSources(programs.src), using)).toEqual([])
})

test('finds exported functions without a comment', () => {
  const source = [
    '/** Adds one. */\nexport function a(x: 1): 1\nexport function a(x: number) {}\nexport async function b() {}',
    'export const c = 1\nexport const d = <T>(x: T) => x\n/** The next one. */\nexport const e = (x: number) => x + 1',
    'export const f = x => x',
  ]
  expect(findUndescribed('a.ts', source.join('\n'))).toEqual(['b', 'd', 'f'].map((name) => `a.ts ${name}`))
})

test('each function that a file exports has a comment, except the components of the console', () => {
  const others = sources.filter(({ program }) => program !== 'console')
  expect(
    others.flatMap(({ files }) => Array.from(files, ([file, source]) => findUndescribed(file, source)).flat()),
  ).toEqual([])
})
