import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { createCaller } from '../catalogue/resource/caller.ts'
import { withoutNulls } from '../catalogue/resource/merge-patch.ts'
import type { ResourceChange } from '../catalogue/resource/routes.ts'
import type { StoredObject } from '../catalogue/resource/row-mapping.ts'
import { createObject } from '../catalogue/resource/store/create.ts'
import { createStore } from '../catalogue/resource/store/store.ts'
import { legacyFields, type TagItem, tagFields, tags } from '../catalogue/resources/tags.ts'
import { ConstraintError } from '../platform/db/database-errors.ts'
import { merchantDatabase } from '../platform/db/home/merchant-connection.ts'
import { ApiError, invalid, notFound } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { createStateTag, toState } from '../platform/http/etag.ts'
import * as field from '../platform/http/fields.ts'
import { idempotent, renderOnce } from '../platform/http/idempotency.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import { maxSeconds } from '../platform/lib/day.ts'
import { findMerchant } from './stored-merchant.ts'

/** Ids that are segments of other paths: `…/tags/sheet`, `…/tags/sheet-link` and `…/tags/external/:externalId`. */
const takenIds = new Set(['sheet', 'sheet-link', 'external'])

export const tagImportFields = z.strictObject({
  ...tagFields.shape,
  id: z.nullish(
    field.ownId.check(
      z.refine((id) => !takenIds.has(id), { error: 'is reserved for another path; use it as an alias instead' }),
    ),
  ),
  alias: z.nullish(field.set(field.ownId, field.limits.metadata)),
  message: z.nullish(field.text),
  documentCollection: z.nullish(field.text),
  documentId: z.nullish(field.text),
  edited: z.nullish(field.boolean),
  qr: z.nullish(field.boolean),
  timestamp: z.nullish(
    z.strictObject({
      // With a later value, `updatedAt` could not increase.
      _seconds: z.int().check(z.minimum(0), z.maximum(maxSeconds)),
      _nanoseconds: z.int().check(z.minimum(0), z.maximum(999_999_999)),
    }),
  ),
})
const rules = {
  schema: tagImportFields,
  partial: z.partial(tagImportFields),
  readOnly: new Set(['createdAt', 'updatedAt', 'url', 'qrUrl', 'nfcUrl']),
}

/** Imports tags of an earlier system, so that their printed codes keep working. */
export function createTagImportRoutes(onChange: (c: Context<Env>, change: ResourceChange<TagItem>) => Promise<void>) {
  const store = createStore(tags)
  return new Hono<Env>().post('/', jsonBody(rules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { nfc, metadata, testMode, id, timestamp, alias, ...legacyBody } = patch
    const { id: merchantId } = await findMerchant(c.var.database, c.req.param('merchantId') ?? '')
    c.set('scope', { merchantId, testMode: false })
    c.set('database', merchantDatabase(c.env, { merchantId, home: undefined }))
    const caller = createCaller(c)
    const legacy = legacyFields.safeParse(withoutNulls({ ...legacyBody, timestamp, alias: alias ?? [] })).data
    const seconds = legacy?.timestamp?._seconds
    const presetFields = {
      ...(typeof id === 'string' ? { id } : {}),
      ...(seconds === undefined ? {} : { createdAt: seconds, updatedAt: seconds }),
      legacy,
    }
    const createResponse = renderOnce(async ({ id, item, version }: StoredObject<TagItem>) => {
      const shown = await tags.toFullView(item, caller.renderContext)
      const Location = `/merchants/${merchantId}/tags/${id}`
      return c.json(shown, 201, { Location, ETag: createStateTag(toState(version, item), shown) })
    })
    try {
      const imported = await createObject(store, caller, {
        body: { patch: { nfc, metadata, testMode }, issues },
        respond: createResponse,
        generated: presetFields,
      })
      await onChange(c, { ...imported, deleted: false, hasNoDetails: true })
      return createResponse(imported)
    } catch (error) {
      if (error instanceof ConstraintError && error.kind === 'unique') {
        throw new ApiError('conflict', 'Another tag has, or had, the id or one of the aliases.')
      }
      throw error instanceof ConstraintError && error.kind === 'foreign_key' ? notFound() : error
    }
  })
}
