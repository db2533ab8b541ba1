import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Source files of the project by their path, without tests and generated files. */
export function readSources(cwd = resolve(import.meta.dirname, '..')): Map<string, string> {
  const files = globSync(['{src,tools,console,bench}/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'], { cwd })
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(cwd, file), 'utf8')]))
}

/** Static imports and re-exports of values and types, dynamic imports, and types that name a module. */
const statements = [
  /^(?:import|export)\s(?:[^'";]*?\sfrom\s+)?'(\.[^'?]*\.tsx?)'/gm,
  /\bimport\(\s*'(\.[^'?]*\.tsx?)'\s*\)/g,
]

/** Paths of the files that each file imports. */
export function readGraph(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const toPath = (file: string, path: string) => new URL(path, `file:///${file}`).pathname.slice(1)
  return new Map(
    Array.from(sources, ([file, source]) => [
      file,
      statements.flatMap((statement) => Array.from(source.matchAll(statement), ([, path = '']) => toPath(file, path))),
    ]),
  )
}

/** Everything that can be reached from a node, without the node unless a circle leads back to it. */
function reachableFrom(graph: ReadonlyMap<string, Iterable<string>>, start: string): Set<string> {
  const reached = new Set<string>()
  const queue = [...(graph.get(start) ?? [])]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    queue.push(...(graph.get(next) ?? []))
  }
  return reached
}

/** Groups of files that import each other, directly or through others. */
export function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reachable = new Map(Array.from(graph.keys(), (file) => [file, reachableFrom(graph, file)]))
  const inCircle = [...graph.keys()].filter((file) => reachable.get(file)?.has(file))
  const circleOf = (file: string) =>
    inCircle.filter((other) => reachable.get(file)?.has(other) && reachable.get(other)?.has(file))
  return inCircle.map(circleOf).filter((circle, index) => circle[0] === inCircle[index])
}

/** The room of a file: the entry at the top of `src` that it is or lies in, or else the folder at the top of the project. */
export const roomOf = (file: string): string => /^(?:src\/)?([^/.]+)/.exec(file)?.[1] ?? ''

/** Rooms that the files of each room import from. */
function readRooms(graph: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>()
  for (const [file, imported] of graph) {
    const room = roomOf(file)
    const others = rooms.get(room) ?? new Set()
    for (const target of imported) if (roomOf(target) !== room) others.add(roomOf(target))
    rooms.set(room, others)
  }
  return rooms
}

/**
 * Figures of the structure. Rooms: see `roomOf`. Floors: rooms on the longest chain of imports; rooms that import each other share a
 * floor. Arrows: pairs of rooms of which the first imports from the second.
 */
export function measureStructure(graph: ReadonlyMap<string, readonly string[]>) {
  const rooms = readRooms(graph)
  const reachable = new Map(Array.from(rooms.keys(), (room) => [room, reachableFrom(rooms, room)]))
  const heights = new Map<string, number>()
  const heightOf = (room: string): number => {
    const known = heights.get(room)
    if (known !== undefined) return known
    const below = [...(reachable.get(room) ?? [])].filter((other) => !reachable.get(other)?.has(room))
    const height = 1 + Math.max(0, ...below.map(heightOf))
    heights.set(room, height)
    return height
  }
  return {
    rooms: rooms.size,
    floors: Math.max(...[...rooms.keys()].map(heightOf)),
    arrows: [...rooms.values()].reduce((sum, others) => sum + others.size, 0),
    circles: findCircles(graph).map((circle) => circle.length),
  }
}

/** `npm run figures structure`: prints the figures as a table. */
export function printStructure(): void {
  const sources = readSources()
  const graph = readGraph(sources)
  const { rooms, floors, arrows, circles } = measureStructure(graph)
  const importers = Map.groupBy(
    [...graph].flatMap(([file, imported]) => [...new Set(imported)].map((target) => [file, target] as const)),
    ([, target]) => target,
  )
  const service = [...sources.keys()].filter((file) => /^(?:src|tools)\//.test(file))
  const lines = service.reduce((sum, file) => sum + (sources.get(file) ?? '').split('\n').length - 1, 0)
  const figures = {
    Rooms: rooms,
    Floors: floors,
    'Arrows between rooms': arrows,
    'Import circles': `${circles.length}${circles.length > 0 ? `, of ${circles.join(', ')} files` : ''}`,
    'Files of `src` and `tools`': service.length,
    'Lines of `src` and `tools`': lines,
    'Files with one importer': service.filter((file) => importers.get(file)?.length === 1).length,
  }
  console.log('| Figure | Measured |\n|---|---|')
  for (const [what, value] of Object.entries(figures)) console.log(`| ${what} | ${value} |`)
}
