import type { ParamIndexMap, Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { getPath } from 'hono/utils/url'

/** Removes a trailing slash from scanned addresses: people and mail programs sometimes add one. */
export const getRoutePath = (request: Request) => {
  const path = getPath(request)
  return path.endsWith('/') && /^\/[tn]\/[^/]/i.test(path) ? path.slice(0, -1) : path
}

/** Maximum number of cached shapes. The number of shapes is unlimited: a request can combine names in paths freely. */
export const maxShapes = 1_000

/** A part of a route with a condition on its value: `:verb{close|reopen}`, `file*`. */
const condition = /\{|[^/]\*/

/**
 * Hono's trie router with a cache. Paths of one shape, for example of all products, have the same handlers and parameters at the same positions.
 * Hono's RegExpRouter rejects `/tags/sheet` next to `/tags/:id`.
 */
export class CachedRouter<Handler> implements Router<Handler> {
  readonly name = 'CachedRouter'
  readonly #trie = new TrieRouter<Handler>()
  /** Segments of routes that are not parameters. */
  readonly #names = new Set<string>([''])
  /** First segments of routes with conditions. */
  readonly #uncached = new Set<string>()
  /** Number of segments of the longest route. */
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

/** Replaces the values of parameters with their positions among the segments. Undefined if a value has several positions. */
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
