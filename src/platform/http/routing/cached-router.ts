import type { ParamIndexMap, Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/** Maximum number of cached shapes. There are more: a request can combine the names in paths freely. */
export const maxShapes = 1_000

/** A part of a path on which more depends than which parts are names: `:verb{close|reopen}`, `file*`. */
const condition = /\{|[^/]\*/

/**
 * Hono's trie, with a cache. Paths of one shape, such as those of all products, have the same handlers, with the parameters in the same
 * places. Hono's router of regular expressions rejects `/tags/sheet` beside `/tags/:id`.
 */
export class CachedRouter<Handler> implements Router<Handler> {
  readonly name = 'CachedRouter'
  readonly #trie = new TrieRouter<Handler>()
  /** Segments of routes that are not parameters. */
  readonly #names = new Set<string>([''])
  /** First segments of routes with conditions. */
  readonly #uncached = new Set<string>()
  /** Segments of the longest route. */
  #longest = 0
  readonly #shapes = new Map<string, [Handler, ParamIndexMap][]>()

  add(method: string, path: string, handler: Handler): void {
    const segments = path.split('/')
    for (const segment of segments) if (!segment.startsWith(':')) this.#names.add(segment)
    if (condition.test(path)) this.#uncached.add(segments[1] ?? '')
    this.#longest = Math.max(this.#longest, segments.length)
    this.#shapes.clear()
    this.#trie.add(method, path, handler)
  }

  match(method: string, path: string): Result<Handler> {
    const segments = path.split('/')
    if (segments.length > this.#longest || this.#uncached.has(segments[1] ?? '')) return this.#trie.match(method, path)
    let shape = method
    for (const segment of segments) shape += this.#names.has(segment) ? `/${segment}` : '/:'
    const known = this.#shapes.get(shape)
    if (known) return [known, segments]
    const found = this.#trie.match(method, path)
    const places = found.length === 1 ? toPlaces(found[0], segments) : undefined
    if (!places) return found
    if (this.#shapes.size >= maxShapes) this.#shapes.clear()
    this.#shapes.set(shape, places)
    return [places, segments]
  }
}

/** Replaces the values of parameters by their places among the segments. Undefined if a value is at several places. */
function toPlaces<Handler>(
  matches: readonly [Handler, Record<string, string>][],
  segments: readonly string[],
): [Handler, ParamIndexMap][] | undefined {
  const places: [Handler, ParamIndexMap][] = []
  for (const [handler, params] of matches) {
    const indexes: ParamIndexMap = {}
    for (const [name, value] of Object.entries(params)) {
      const index = segments.indexOf(value)
      if (index < 0 || index !== segments.lastIndexOf(value)) return undefined
      indexes[name] = index
    }
    places.push([handler, indexes])
  }
  return places
}
