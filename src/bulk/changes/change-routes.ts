import { Hono } from 'hono'
import * as z from 'zod/mini'
import { changeKinds } from '../../platform/db/schema/objects/change-sets.ts'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { readPage } from '../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { toChangeSetView } from './change-set-view.ts'
import { changeSetPages } from './change-statements.ts'
import { readObjectPage, toObjectsView } from './undo/objects-view.ts'
import { undoRoutes } from './undo/undo-routes.ts'
import { findUndo } from './undo/undo-store.ts'

export const changesQuery = z.extend(pageQuery, {
  kind: z.optional(z.enum(changeKinds)).check(z.describe('Returns only change sets of this kind.')),
})

export const objectsQuery = z.omit(pageQuery, { order: true })

/** Change sets of a merchant, newest first. */
export const changeRoutes = new Hono<Env>()
  .get('/', query(changesQuery), async (c) => {
    const filters = c.req.valid('query')
    const { kind } = filters
    const { database, scope } = c.var
    const list = scope.testMode ? 'changes of tests' : 'changes'
    const pages = kind === undefined ? changeSetPages.all : changeSetPages.ofKind
    const { items, next } = await readPage(database, pages, list, { ...scope, kind }, filters)
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items.map(toChangeSetView), 200)
  })
  .get('/:id', query(objectsQuery), async (c) => {
    const { database, scope, grantedScopes } = c.var
    const id = c.req.param('id')
    const found = await database.findNamed(() => findUndo(database, scope, id))
    if (!found) throw notFound()
    const { objects, next } = await readObjectPage(database, scope, id, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(toObjectsView(found, objects, grantedScopes), 200)
  })
  .route('/', undoRoutes)
