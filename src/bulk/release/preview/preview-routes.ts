import { Hono } from 'hono'
import * as z from 'zod/mini'
import { createCaller } from '../../../catalogue/resource/caller.ts'
import { requireScope } from '../../../platform/auth/authenticate.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { seconds } from '../../../platform/http/fields/seconds.ts'
import * as field from '../../../platform/http/fields.ts'
import { getOrigin } from '../../../platform/http/public-url.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { createPreview, previewSeconds } from '../../../storefront/menu/preview/preview-link.ts'
import { requireDraftScopes } from '../draft/add-operations.ts'
import { releaseOperation } from '../release-fields.ts'
import { releaseLimits } from '../release-limits.ts'
import { readShown, storeDraft } from './stored-drafts.ts'

export const previewRequest = z.strictObject({
  at: z
    .nullish(seconds)
    .check(
      z.describe(
        'Time that the preview shows, in seconds since 1970-01-01 UTC. Absent: the time at which it is opened.',
      ),
    ),
  menu: z.nullish(field.reference).check(z.describe('Id of the only menu that the preview shows. Absent: all menus.')),
  release: z
    .nullish(field.reference)
    .check(
      z.describe(
        'Id of a release that is not published. The preview shows the menu after it. Absent: as it is stored.',
      ),
    ),
  operations: z
    .optional(field.list(releaseOperation, releaseLimits.shownOperations))
    .check(
      z.describe(
        'Changes that are not stored: the preview shows the menu after `release` and after them, as a release would publish them.',
      ),
    ),
})
export const menuPreviewView = z.object({ url: z.string(), expiresAt: z.int() })
const rules = { schema: previewRequest, partial: z.partial(previewRequest), readOnly: new Set<string>() }

/** Signs the address of a preview: the hosted menu as it is stored, or after some operations, without the cache for guests. */
export const menuPreviewRoutes = new Hono<Env>().post(
  '/',
  requireScope('menus:read'),
  jsonBody(rules, releaseLimits.shownBytes),
  async (c) => {
    const { merchantId, testMode } = c.var.scope
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { at, menu, release, operations = [] } = previewRequest.parse(patch)
    requireDraftScopes(c.var.grantedScopes, operations)
    const caller = createCaller(c)
    const earlier = release ? await readShown(caller, release, c.var.grantedScopes) : []
    const isDraft = release || operations.length > 0
    const draft = isDraft ? await storeDraft(c.env, caller, { earlier, operations }, previewSeconds) : undefined
    const { value, expiresAt } = await createPreview(c.env, merchantId, {
      testMode,
      at: at ?? undefined,
      menu: menu ?? undefined,
      draft,
    })
    return c.json({ url: `${getOrigin(c)}/m/${merchantId}?preview=${value}`, expiresAt }, 200)
  },
)
