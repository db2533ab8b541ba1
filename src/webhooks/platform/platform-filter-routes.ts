import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { isSameJson, merge } from '../../catalogue/resource/merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../../catalogue/resource/object-lock.ts'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { platformList } from '../../platform/db/home/d1-connection.ts'
import { parseJson } from '../../platform/db/query.ts'
import { commit } from '../../platform/db/transaction.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import { type Env, getActor } from '../../platform/http/context.ts'
import {
  createStateTag,
  getPrecondition,
  isPreconditionMet,
  preconditionFailed,
  revalidate,
  toShownState,
} from '../../platform/http/etag.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { filterFields, filterView, getFilterIssues, toStoredFilter } from '../filters/filter-fields.ts'
import { maxBodyShapes, parseShapes, replaceShape } from '../filters/shapes.ts'
import { findPlatformWebhook, platformWebhookStatements as statements } from './platform-webhook-store.ts'

const modes = z.enum(['live', 'test', 'all'])
/** The filter that a request can set. Deliveries to platform webhooks have no order. */
export const platformFilterFields = z.extend(z.omit(filterFields, { order: true }), {
  mode: z
    .nullish(modes)
    .check(
      z.describe(
        'Modes whose events are sent: `live`, the default, `test`, or `all`. `testMode` of an event says which it has. Concerns later events.',
      ),
    ),
})
export const platformFilterView = z.extend(z.omit(filterView, { order: true }), { mode: z.optional(modes) })
type PlatformFilter = z.output<typeof platformFilterView>
const rules = { schema: platformFilterFields, partial: platformFilterFields, readOnly: new Set<string>() }

async function findFilter(c: Context<Env>, id: string) {
  const { filter: stored, filterVersion: version, shapes: storedShapes } = await findPlatformWebhook(c, id)
  const filter = stored === null ? {} : platformFilterView.safeParse(parseJson(stored)).data
  const shapes = parseShapes(storedShapes)
  if (filter && shapes) return { filter, shapes, version }
  const fields = [...(filter ? [] : ['filter']), ...(shapes ? [] : ['shapes'])]
  throw new DamagedError({ table: 'platform_webhooks', id, merchantId: '', fields })
}

const show = (c: Context<Env>, filter: PlatformFilter, version: number) =>
  c.json(filter, 200, { ETag: createStateTag({ version }, filter) })

/** Routes of the filter of a platform webhook. A change concerns later events only: stored deliveries keep their shape. */
export const platformFilterRoutes = new Hono<Env>()
  .get('/:webhookId/filter', revalidate, async (c) => {
    const { filter, version } = await findFilter(c, c.req.param('webhookId'))
    return show(c, filter, version)
  })
  .post('/:webhookId/filter', jsonBody(rules), idempotent, async (c) => {
    const [id, body, condition] = [c.req.param('webhookId'), c.req.valid('json'), getPrecondition(c)]
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      const before = await findFilter(c, id)
      if (condition && !isPreconditionMet(condition, toShownState(before.version, before.filter)))
        throw preconditionFailed()
      if (body.issues.length > 0) throw invalid(body.issues)
      const filter = platformFilterView.parse(merge(before.filter, body.patch))
      const issues = getFilterIssues(filter)
      if (issues.length > 0) throw invalid(issues)
      if (isSameJson(filter, before.filter)) return show(c, filter, before.version)
      const { shapes, current } = replaceShape(before.shapes, filter, nowInSeconds())
      if (shapes.length > maxBodyShapes)
        throw new ApiError('too_many', `The shape of bodies can change ${maxBodyShapes} times in 30 days.`)
      const filterVersion = before.version + 1
      const response = show(c, filter, filterVersion)
      const stored = { filter: JSON.stringify(toStoredFilter(filter)), shapes: JSON.stringify(shapes), shape: current }
      const [rows] = await commit(getActor(c), { response }, [
        [statements.updateFilter(), { id, filterVersion, ...stored }],
      ])
      if (rows.length > 0) {
        platformList.readAtMs = 0
        log(c.env, 'platform webhook changed', { webhook: id, change: 'filter', by: c.var.actor ?? 'operator' })
        return response
      }
      await pauseAfter(attempt)
    }
    throw busy()
  })
