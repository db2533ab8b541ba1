import type { Context, Handler, NotFoundHandler } from 'hono'
import type { RouterRoute } from 'hono/types'
import { ApiError } from '../errors.ts'
import type { Env } from './context.ts'
import { onError } from './problem-details.ts'
import { requireDecodablePath } from './validation.ts'

interface Path {
  form: RegExp
  /** Number of its parameters. */
  params: number
  /** Empty for a path whose application loads with its first request. */
  methods: Set<string>
}

/** All paths with their methods. */
function listPaths(routes: readonly RouterRoute[]): readonly Path[] {
  const paths = new Map<string, Path>()
  for (const { path, method } of routes) {
    // Middleware, or an application that handles everything below.
    if (method === 'ALL' && path.includes('*')) continue
    const form = new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    const known = paths.get(path) ?? { form, params: path.split('/:').length - 1, methods: new Set() }
    if (method !== 'ALL') known.methods.add(method)
    if (method === 'GET') known.methods.add('HEAD')
    paths.set(path, known)
  }
  return [...paths.values()]
}

const isPath = (paths: readonly Path[], path: string) => paths.some(({ form }) => form.test(path))

/** The methods of a path. A fixed path (`/tags/sheet`) has none of the methods of `/tags/:id`. */
function methodsOf(paths: readonly Path[], path: string): ReadonlySet<string> {
  const matches = paths.filter(({ form }) => form.test(path))
  const fewest = Math.min(...matches.map(({ params }) => params))
  return new Set(matches.flatMap(({ params, methods }) => (params === fewest ? [...methods] : [])))
}

/** Handles the other methods of a fixed path. Register it before `/:id`, which would treat the name as an id. */
export const otherMethods: Handler<Env> = (c) => c.notFound()

const unknownPath = (remedy: string) => new ApiError('not_found', `Unknown path. ${remedy}`)

/**
 * Distinguishes a wrong method from an unknown path, which Hono does not, and responds to OPTIONS. `guests` maps paths of pages for guests to the
 * page that replaces a problem.
 */
export function createNotFoundHandler(
  routes: () => readonly RouterRoute[],
  guests: { form: RegExp; page: (c: Context<Env>) => Promise<Response> },
): NotFoundHandler<Env> {
  let paths: readonly Path[] | undefined
  return (c) => {
    try {
      const isForGuests = guests.form.test(c.req.path)
      const isRead = /^(?:GET|HEAD)$/.test(c.req.method)
      if (isForGuests && isRead) return guests.page(c)
      // People type the slash that addresses of other sites have.
      if (isRead && /^\/(?:docs|console)\/$/.test(c.req.path)) return c.redirect(c.req.path.slice(0, -1), 308)
      if (!isForGuests) requireDecodablePath(c)
      paths ??= listPaths(routes())
      const methods = methodsOf(paths, c.req.path)
      if (methods.size === 0) {
        const bare = c.req.path.replace(/\/+$/, '')
        const hasSlash = bare !== c.req.path && isPath(paths, bare)
        throw unknownPath(hasSlash ? 'Remove the trailing slash.' : 'See /docs.')
      }
      const allow = [...methods, 'OPTIONS'].join(', ')
      if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allow })
      throw new ApiError('method_not_allowed', `The path supports ${allow}.`, [], { allow })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      // Hono does not catch errors here: they would bypass the middleware that sets the common headers.
      return onError(error, c)
    }
  }
}
