import { expect, test } from 'vitest'

/**
 * The rooms of `src` in layers: a file may import, values and types alike, from the layers above and from its own room.
 * Rooms of one layer do not import each other.
 */
const layers = [
  ['errors', 'messages', 'names'],
  ['env'],
  ['lib'],
  ['db'],
  ['retention'],
  ['http'],
  ['auth'],
  ['outbox'],
  ['resource'],
  ['resources'],
  ['checkout', 'csv', 'media'],
  ['pages', 'qr'],
  ['tags'],
  ['batch', 'export', 'menu', 'webhooks'],
  ['print'],
  ['import', 'people'],
  ['move'],
  ['backup'],
  ['admin'],
  ['account'],
  ['maintenance'],
  ['home', 'maintenance-routes'],
  ['app'],
  ['index'],
  // The build makes the document from the declarations. Nothing that is deployed imports it.
  ['openapi'],
  ['cli'],
]
/** Largest part of the lines of `src` in one folder, and most files in it. Generated files do not count as lines. */
const limits = { share: 0.15, files: 15 }
const generated = 'packages/client/models.ts'

/** Files by path in `src`; those of packages by `packages/`, the name of the package, and their path in its `src`. */
const sources = new Map(
  Object.entries(
    import.meta.glob<string>(['../../src/**/*.ts', '../../packages/*/src/**/*.ts'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).map(([path, source]) => [path.replace('../../', '').replace(/^((?:packages\/[^/]+\/)?)src\//, '$1'), source]),
)
const packageOf = (file: string) => /^packages\/[^/]+/.exec(file)?.[0]
const roomOf = (file: string) => /^[^/.]+/.exec(file)?.[0] ?? ''
const folderOf = (file: string) => file.replace(/\/?[^/]*$/, '')
const layerOf = (file: string) => layers.findIndex((rooms) => rooms.includes(roomOf(file)))

/** Static imports and re-exports of values and types, dynamic imports, and types that name a module. */
const statements = [/^(?:import|export)\s(?:[^'";]*?\sfrom\s+)?'(\.[^']*\.ts)'/gm, /\bimport\(\s*'(\.[^']*\.ts)'\s*\)/g]
const graph = new Map(
  Array.from(sources, ([file, source]) => [
    file,
    statements.flatMap((statement) =>
      Array.from(source.matchAll(statement), ([, path = '']) => new URL(path, `file:///${file}`).pathname.slice(1)),
    ),
  ]),
)
const imports = [...graph].flatMap(([file, imported]) => imported.map((target) => [file, target] as const))

/** Groups of files that import each other, directly or through others. */
function findCircles(): string[][] {
  const reachable = new Map<string, Set<string>>()
  for (const file of graph.keys()) {
    const reached = new Set<string>()
    const queue = [...(graph.get(file) ?? [])]
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      queue.push(...(graph.get(next) ?? []))
    }
    reachable.set(file, reached)
  }
  return [...graph.keys()].flatMap((file) => {
    if (!reachable.get(file)?.has(file)) return []
    const circle = [...graph.keys()].filter(
      (other) => reachable.get(file)?.has(other) && reachable.get(other)?.has(file),
    )
    return circle[0] === file ? [circle] : []
  })
}

test('all files are read, and every import leads to one', () => {
  expect(sources.size).toBeGreaterThan(100)
  expect(imports.length).toBeGreaterThan(400)
  expect(imports.filter(([, target]) => !sources.has(target))).toEqual([])
})

test('every file is in a room that has a layer', () => {
  expect([...sources.keys()].filter((file) => !packageOf(file) && layerOf(file) < 0)).toEqual([])
})

test('imports lead to lower layers or stay in the room, types included', () => {
  const isAllowed = ([from, to]: readonly [string, string]) =>
    roomOf(from) === roomOf(to) || (layerOf(to) >= 0 && layerOf(to) < layerOf(from))
  expect(imports.filter(([from]) => !packageOf(from)).filter((each) => !isAllowed(each))).toEqual([])
})

test('no files import each other in a circle, types included', () => expect(findCircles()).toEqual([]))

test('a package imports only its own files, and the service imports no package', () => {
  expect(imports.filter(([from]) => packageOf(from)).length).toBeGreaterThan(5)
  expect(imports.filter(([from, to]) => packageOf(from) !== packageOf(to))).toEqual([])
})

test('no folder is too large', () => {
  const folders = Map.groupBy(sources.keys(), folderOf)
  const linesOf = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + (file === generated ? 0 : (sources.get(file) ?? '').split('\n').length), 0)
  const total = linesOf([...sources.keys()])
  for (const [folder, files] of folders) {
    expect(files.length, folder).toBeLessThanOrEqual(limits.files)
    expect(linesOf(files) / total, folder).toBeLessThanOrEqual(limits.share)
  }
})

test('every test is in a folder that is run', () => {
  const besides = ['bench', 'client', 'e2e', 'repository']
  const rooms = new Set([...sources.keys()].map((file) => roomOf(file)))
  const folders = new Set(
    Object.keys(import.meta.glob(['../**/*.test.ts', '!../foreign/**'])).map((path) =>
      path.split('/').at(path.startsWith('../') ? 1 : 0),
    ),
  )
  // The tests of this folder are found as `./`.
  folders.delete('.')
  expect([...folders].filter((folder) => !rooms.has(folder ?? '') && !besides.includes(folder ?? ''))).toEqual([])
  expect(folders.size).toBeGreaterThan(10)
})
