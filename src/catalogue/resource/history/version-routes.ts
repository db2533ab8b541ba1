import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Env } from '../../../platform/http/context.ts'
import { nextLink, pageQuery } from '../../../platform/http/pagination.ts'
import { query } from '../../../platform/http/validation.ts'
import { createCaller } from '../caller.ts'
import type { ResourceDefinition } from '../definition.ts'
import { createStore } from '../store/store.ts'
import { listVersions } from './list-versions.ts'

export const versionsQuery = z.omit(pageQuery, { order: true })

/** `GET /:id/versions` of a resource. */
export function createVersionRoutes(resource: ResourceDefinition) {
  const store = createStore(resource)
  return new Hono<Env>().get('/:id/versions', query(versionsQuery), async (c) => {
    const { id } = c.req.param()
    const { items, next } = await listVersions(store, createCaller(c), c.var.grantedScopes, id, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items, 200)
  })
}
