import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { findCircles, measureStructure, readGraph, readSources, roomOf } from '../structure.ts'

/**
 * The districts of `src`, and the tools, in layers: a file may import, values and types alike, from the layers above and from its own
 * district. Districts of one layer do not import each other.
 */
const layers = [
  ['platform'],
  ['catalogue'],
  ['checkout', 'storefront'],
  ['bulk', 'webhooks'],
  ['tenancy'],
  ['admin'],
  ['app'],
  ['index'],
  // Nothing that is deployed imports them.
  ['tools'],
]
/** Maximum numbers of folders and files at the top of `src`, of rooms, and of floors and arrows between rooms: see `measureStructure`. */
const limitsOfStructure = { folders: 9, files: 2, rooms: 16, floors: 10, arrows: 70 }
/** Maximum share of the lines of `src` in one folder, and maximum number of files in a folder. Generated files do not count as lines. */
const limits = { share: 0.15, files: 15 }
const generated = 'packages/client/src/models.ts'

const sources = readSources()
const graph = readGraph(sources)
const imports = [...graph].flatMap(([file, imported]) => imported.map((target) => [file, target] as const))

/** The package, the console or the benchmarks that a file belongs to; undefined for the service and its tools. */
const programOf = (file: string) => /^(?:packages\/[^/]+|console|bench)(?=\/)/.exec(file)?.[0]
/** Commands of a developer's machine call the API as integrators do: with the client. */
const isClientOfTools = (from: string, to: string) =>
  from.startsWith('tools/cli/') && programOf(to) === 'packages/client'
const layerOf = (file: string) => layers.findIndex((rooms) => rooms.includes(roomOf(file)))

test('all files are read, and every import leads to one', () => {
  expect(sources.size).toBeGreaterThan(100)
  expect(imports.length).toBeGreaterThan(400)
  expect(imports.filter(([, target]) => !sources.has(target))).toEqual([])
})

test('the house is small', () => {
  const { rooms, floors, arrows } = measureStructure(graph)
  const atTop = new Set([...sources.keys()].flatMap((file) => /^src\/([^/]+)/.exec(file)?.[1] ?? []))
  const files = [...atTop].filter((name) => name.endsWith('.ts')).length
  expect(files).toBeLessThanOrEqual(limitsOfStructure.files)
  expect(atTop.size - files).toBeLessThanOrEqual(limitsOfStructure.folders)
  expect(rooms).toBeLessThanOrEqual(limitsOfStructure.rooms)
  expect(floors).toBeLessThanOrEqual(limitsOfStructure.floors)
  expect(arrows).toBeLessThanOrEqual(limitsOfStructure.arrows)
})

test('every file is in a room that has a layer', () => {
  expect([...sources.keys()].filter((file) => !programOf(file) && layerOf(file) < 0)).toEqual([])
})

test('imports lead to lower layers or stay in the room, types included', () => {
  const isAllowed = ([from, to]: readonly [string, string]) =>
    roomOf(from) === roomOf(to) || isClientOfTools(from, to) || (layerOf(to) >= 0 && layerOf(to) < layerOf(from))
  expect(imports.filter(([from]) => !programOf(from)).filter((each) => !isAllowed(each))).toEqual([])
})

/** Operations of the OpenAPI document, and what they share. */
const isDocument = (file: string) => /\.operations\.ts$|^src\/platform\/http\/openapi\//.test(file)

test('only tools import the operations of the document, types included', () => {
  const operations = [...sources.keys()].filter(isDocument)
  expect(operations.length).toBeGreaterThan(30)
  expect(operations.filter((file) => !file.startsWith('src/'))).toEqual([])
  const isDeployed = (file: string) => file.startsWith('src/') && !isDocument(file)
  expect(imports.filter(([from, to]) => isDeployed(from) && isDocument(to))).toEqual([])
})

test('no files import each other in a circle, types included', () => expect(findCircles(graph)).toEqual([]))

test('a package imports only its own files, the console those of the client, and the service neither, but commands the client', () => {
  const isForeign = ([from, to]: readonly [string, string]) =>
    programOf(from) !== 'bench' &&
    !isClientOfTools(from, to) &&
    programOf(from) !== programOf(to) &&
    !(programOf(from) === 'console' && programOf(to) === 'packages/client')
  expect(imports.filter(([from]) => programOf(from)).length).toBeGreaterThan(200)
  expect(imports.filter(isForeign)).toEqual([])
})

test('the figures of the structure follow from a small example', () => {
  const example = new Map([
    ['src/index.ts', ['src/app/a.ts']],
    ['src/app/a.ts', ['src/db/b.ts', 'src/lib/c.ts']],
    ['src/db/b.ts', ['src/lib/c.ts', 'src/db/d.ts']],
    ['src/db/d.ts', ['src/db/b.ts']],
    ['src/lib/c.ts', []],
  ])
  expect(measureStructure(example)).toEqual({ rooms: 4, floors: 4, arrows: 4, circles: [2] })
})

test('no folder is too large', () => {
  const ofService = [...sources.keys()].filter((file) => !/^(?:console|bench)\//.test(file))
  const folders = Map.groupBy(ofService, (file) => dirname(file))
  const linesOf = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + (file === generated ? 0 : (sources.get(file) ?? '').split('\n').length), 0)
  const total = linesOf(ofService)
  for (const [folder, files] of folders) {
    expect(files.length, folder).toBeLessThanOrEqual(limits.files)
    expect(linesOf(files) / total, folder).toBeLessThanOrEqual(limits.share)
  }
})

test('every test is in a folder that is run', () => {
  const besides = ['client', 'e2e', 'repository']
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
