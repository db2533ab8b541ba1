import { type Context, Hono } from 'hono'
import { createCaller } from '../../catalogue/resource/caller.ts'
import { requireScopes } from '../../platform/auth/authenticate.ts'
import { allOf } from '../../platform/db/database.ts'
import { releaseTable } from '../../platform/db/schema/releases/releases.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { type Issue, invalid } from '../../platform/errors.ts'
import { type Env, getActor } from '../../platform/http/context.ts'
import { createStateTag, getPrecondition, revalidate, toState } from '../../platform/http/etag.ts'
import { limits } from '../../platform/http/fields.ts'
import { idempotent, renderOnce } from '../../platform/http/idempotency.ts'
import { createPageStatements, readPage } from '../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../platform/http/pagination.ts'
import { jsonBody, optionalJsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { createId } from '../../platform/lib/ids.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { planOperations, requireDraftScopes, toChanged } from './draft/add-operations.ts'
import { changeRelease, readRelease, requireOpen, tooManyOpen } from './draft/write-release.ts'
import { releasePreviewRoutes } from './preview/release-preview-routes.ts'
import {
  type ReleaseView,
  releaseCreate,
  releaseOperations,
  releasePublish,
  releaseUpdate,
  rulesOf,
} from './release-fields.ts'
import { releaseLimits, releasePrefix } from './release-limits.ts'
import { operationPages } from './release-pages.ts'
import { releaseFields, releaseStatements, type StoredRelease } from './release-statements.ts'
import {
  listScopes,
  readOperation,
  requireOther,
  toOperationView,
  toReleasedPath,
  toReleaseView,
} from './release-view.ts'

const pages = createPageStatements(releaseFields, allOf(isInScope(releaseTable)))

/** Responds with a release, and its entity tag. */
function respondWith(c: Context<Env>, stored: StoredRelease, more: object = {}, status: 200 | 201 = 200) {
  const view: ReleaseView = toReleaseView(stored)
  return c.json({ ...view, ...more }, status, { ETag: createStateTag(toState(stored.version, stored), view) })
}

/**
 * Requires the scopes of publishing: those to change the objects of a release too. `author` is that of a release that is published at a time: its time and
 * its operations then are another person's, if the merchant wants so.
 */
async function requirePublishing(
  c: Context<Env>,
  release: string,
  { also = [], author }: { also?: readonly string[]; author?: string | undefined } = {},
): Promise<void> {
  const { database, scope, grantedScopes } = c.var
  requireScopes(grantedScopes, ['releases:publish'])
  const values = { ...scope, release }
  const [stored, [merchant]] = await database.run(
    [releaseStatements.listPaths(), values],
    [releaseStatements.findPublishBy(), values],
  )
  if (author !== undefined) requireOther(merchant?.publishBy, { author }, getActor(c).actor)
  const paths = [...stored.map(({ path }) => path), ...also].map(toReleasedPath)
  requireScopes(grantedScopes, listScopes(paths, 'write'))
}

function* listTimeIssues(publishAt: number | null | undefined, now: number): Iterable<Issue> {
  if (typeof publishAt !== 'number') return
  const pointer = '/publishAt'
  if (publishAt <= now) yield { pointer, code: 'too_small', message: 'must be in the future' }
  if (publishAt > now + releaseLimits.ahead)
    yield { pointer, code: 'too_large', message: 'must be at most a year ahead' }
}

/** The fields of a release that is published at a time, or without one. */
const toSchedule = (c: Context<Env>, publishAt: number | null) => ({
  state: publishAt === null ? ('draft' as const) : ('scheduled' as const),
  publishAt,
  scheduledBy: publishAt === null ? null : getActor(c).actor,
  baseUrl: publishAt === null ? null : (createCaller(c).renderContext.baseUrl ?? null),
  failure: null,
})

/** Drafts of many changes, which are checked, shown to people and published together. */
export const releaseRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { database, scope } = c.var
    const list = scope.testMode ? 'releases of tests' : 'releases'
    const { items, next } = await readPage(database, pages, list, { ...scope }, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items.map(toReleaseView), 200)
  })
  .post('/', jsonBody(rulesOf.create, limits.batchBytes), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    const now = nowInSeconds()
    const found = [...issues, ...listTimeIssues(Number(patch['publishAt'] ?? Number.NaN), now)]
    if (found.length > 0) throw invalid(found)
    const { title, note, publishAt = null, operations = [] } = releaseCreate.parse(patch)
    const { scope, grantedScopes } = c.var
    requireDraftScopes(grantedScopes, operations)
    const id = createId(releasePrefix)
    if (publishAt !== null)
      await requirePublishing(c, id, {
        also: operations.map(({ resource }) => resource),
        author: getActor(c).actor,
      })
    const caller = createCaller(c)
    return changeRelease(caller, id, async () => {
      const [[open]] = await caller.database.run([releaseStatements.countOpen(), { ...scope }])
      if ((open?.count ?? 0) >= releaseLimits.open) throw tooManyOpen()
      const empty: StoredRelease = {
        ...{ ...scope, id, title, note: note || null, version: 1, changes: 0, bytes: 0, author: caller.actor },
        ...toSchedule(c, publishAt),
        ...{ publishedAt: null, publishedBy: null, changeSet: null, createdAt: now, updatedAt: now },
      }
      const { after, written, drafted } = await planOperations(caller, empty, operations)
      return { after, written, verb: 'create', response: respondWith(c, after, { operations: drafted }, 201) }
    })
  })
  .get('/:id', revalidate, async (c) => respondWith(c, await readRelease(c.var, c.req.param('id'))))
  .post('/:id', jsonBody(rulesOf.update), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    const now = nowInSeconds()
    const found = [...issues, ...listTimeIssues(Number(patch['publishAt'] ?? Number.NaN), now)]
    if (found.length > 0) throw invalid(found)
    const { title, note, publishAt } = releaseUpdate.parse(patch)
    const [id, caller] = [c.req.param('id'), createCaller(c)]
    return changeRelease(caller, id, async () => {
      const before = await readRelease(caller, id)
      requireOpen(before, getPrecondition(c), 'changed')
      if (before.state === 'scheduled' || typeof publishAt === 'number')
        await requirePublishing(c, id, typeof publishAt === 'number' ? { author: before.author } : {})
      const after = {
        ...toChanged(before),
        ...(title !== undefined && { title }),
        ...(note !== undefined && { note: note || null }),
        ...(publishAt !== undefined && toSchedule(c, publishAt)),
      }
      return { before, after, verb: 'update', response: respondWith(c, after) }
    })
  })
  .get('/:id/operations', query(pageQuery), async (c) => {
    const { database, scope, grantedScopes } = c.var
    const stored = await readRelease(c.var, c.req.param('id'))
    const values = { ...scope, release: stored.id }
    const { items, next } = await readPage(
      database,
      operationPages,
      `operations of ${stored.id}`,
      values,
      c.req.valid('query'),
    )
    const operations = items.map(readOperation)
    requireScopes(
      grantedScopes,
      listScopes(
        operations.map(({ path }) => path),
        'read',
      ),
    )
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(operations.map(toOperationView), 200)
  })
  .post('/:id/operations', jsonBody(rulesOf.operations, limits.batchBytes), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { operations } = releaseOperations.parse(patch)
    requireDraftScopes(c.var.grantedScopes, operations)
    const [id, caller] = [c.req.param('id'), createCaller(c)]
    return changeRelease(caller, id, async () => {
      const before = await readRelease(caller, id)
      requireOpen(before, getPrecondition(c), 'changed')
      if (before.state === 'scheduled')
        await requirePublishing(c, id, { also: operations.map(({ resource }) => resource), author: before.author })
      const { after, written, removed, drafted } = await planOperations(caller, toChanged(before), operations)
      return {
        before,
        after,
        written,
        removed,
        verb: 'operations.create',
        response: respondWith(c, after, { operations: drafted }),
      }
    })
  })
  .delete('/:id/operations/:targetId', async (c) => {
    const [id, target, caller] = [c.req.param('id'), c.req.param('targetId'), createCaller(c)]
    return changeRelease(caller, id, async () => {
      const before = await readRelease(caller, id)
      requireOpen(before, getPrecondition(c), 'changed')
      if (before.state === 'scheduled') await requirePublishing(c, id, { author: before.author })
      const values = { ...c.var.scope, release: id, targets: JSON.stringify([target]) }
      const [stored] = await caller.database.run([releaseStatements.listNamed(), values])
      const own = stored.find((row) => row.target === target)
      if (!own) return respondWith(c, before)
      const after = { ...toChanged(before), changes: before.changes - 1, bytes: before.bytes - own.bytes }
      return {
        before,
        after,
        removed: [readOperation(own)],
        verb: 'operations.delete',
        response: respondWith(c, after),
      }
    })
  })
  .post('/:id/check', async (c) => {
    const { checkRelease } = await import('./plan/check-release.ts')
    return c.json(await checkRelease(createCaller(c), c.req.param('id'), c.var.grantedScopes), 200)
  })
  .route('/', releasePreviewRoutes)
  .post('/:id/publish', optionalJsonBody(rulesOf.publish), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { publishRelease } = await import('./publish/publish-release.ts')
    const respond = renderOnce((stored: StoredRelease) => respondWith(c, stored))
    const published = await publishRelease(createCaller(c), c.req.param('id'), {
      overwrite: releasePublish.parse(patch).overwrite === true,
      condition: getPrecondition(c),
      grantedScopes: c.var.grantedScopes,
      respond,
    })
    return respond(published)
  })
  .post('/:id/cancel', idempotent, async (c) => {
    const [id, caller] = [c.req.param('id'), createCaller(c)]
    return changeRelease(caller, id, async () => {
      const before = await readRelease(caller, id)
      if (before.state === 'cancelled') return respondWith(c, before)
      requireOpen(before, getPrecondition(c), 'cancelled')
      if (before.state === 'scheduled') await requirePublishing(c, id)
      const after: StoredRelease = { ...toChanged(before), state: 'cancelled', failure: null }
      return { before, after, verb: 'cancel', response: respondWith(c, after) }
    })
  })
