import { Hono } from 'hono'
import * as z from 'zod/mini'
import { requireScope } from '../../../platform/auth/authenticate.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import * as field from '../../../platform/http/fields.ts'
import { getOrigin } from '../../../platform/http/public-url.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { createPreview } from './preview-link.ts'

export const previewRequest = z.strictObject({
  at: z
    .nullish(field.seconds)
    .check(
      z.describe(
        'Time that the preview shows, in seconds since 1970-01-01 UTC. Absent: the time at which it is opened.',
      ),
    ),
  menu: z.nullish(field.reference).check(z.describe('Id of the only menu that the preview shows. Absent: all menus.')),
})
export const menuPreviewView = z.object({ url: z.string(), expiresAt: z.int() })
const rules = { schema: previewRequest, partial: z.partial(previewRequest), readOnly: new Set<string>() }

/** Signs the address of a preview: the hosted menu as it is stored, without the cache for guests. */
export const menuPreviewRoutes = new Hono<Env>().post('/', requireScope('menus:read'), jsonBody(rules), async (c) => {
  const { merchantId, testMode } = c.var.scope
  const { patch, issues } = c.req.valid('json')
  if (issues.length > 0) throw invalid(issues)
  const { at, menu } = previewRequest.parse(patch)
  const { value, expiresAt } = await createPreview(c.env, merchantId, {
    testMode,
    at: at ?? undefined,
    menu: menu ?? undefined,
  })
  return c.json({ url: `${getOrigin(c)}/m/${merchantId}?preview=${value}`, expiresAt }, 200)
})
