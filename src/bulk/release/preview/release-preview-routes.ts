import { Hono } from 'hono'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { getOrigin } from '../../../platform/http/public-url.ts'
import { optionalJsonBody } from '../../../platform/http/request-body.ts'
import { readRelease } from '../draft/write-release.ts'
import { releasePreview, rulesOf } from '../release-fields.ts'
import { releaseLimits } from '../release-limits.ts'
import { releaseStatements } from '../release-statements.ts'
import { isOpenRelease, listScopes, releaseStateConflict, toReleasedPath } from '../release-view.ts'
import { createReleaseLink } from './release-link.ts'

/** Signs the address of a preview: the hosted menu as it is after a release. */
export const releasePreviewRoutes = new Hono<Env>().post(
  '/:id/preview-link',
  optionalJsonBody(rulesOf.preview),
  async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { hours, at } = releasePreview.parse(patch)
    const { database, scope, grantedScopes } = c.var
    const stored = await readRelease(c.var, c.req.param('id'))
    if (!isOpenRelease(stored)) throw releaseStateConflict(stored, 'shown')
    const [operations] = await database.run([releaseStatements.listPaths(), { ...scope, release: stored.id }])
    const paths = operations.map(({ path }) => toReleasedPath(path))
    requireScopes(grantedScopes, listScopes(paths, 'read'))
    const link = { release: stored.id, testMode: scope.testMode, at: at ?? undefined }
    const lifetime = (hours ?? releaseLimits.defaultPreviewHours) * 3_600
    const { value, expiresAt } = await createReleaseLink(c.env, scope.merchantId, link, lifetime)
    return c.json({ url: `${getOrigin(c)}/m/${scope.merchantId}?release=${value}`, expiresAt }, 200)
  },
)
