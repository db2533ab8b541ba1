import type { Context } from 'hono'
import { getBearerToken } from '../../../platform/auth/authenticate.ts'
import type { Env } from '../../../platform/http/context.ts'
import { isOneMissTooMany } from '../../../platform/http/rate-limit.ts'
import { type MenuRequest, readParameter } from '../menu-request.ts'
import { type RequestedPreview, readPreview } from './preview-link.ts'

const scopes = ['menus:read', 'products:read', 'modifiers:read'] as const

/** The catalogue at the time that a request with a key names. Undefined without a key or a time. */
async function findPast(c: Context<Env>, { merchantId, at }: MenuRequest): Promise<RequestedPreview | undefined> {
  if (at === undefined || getBearerToken(c) === '') return undefined
  const { requireKey } = await import('../../../platform/auth/guest-key.ts')
  const scope = await requireKey(c, merchantId, scopes)
  const database = await c.var.planned?.openPast(scope, at)
  return { parameter: 'at', value: `${at}`, testMode: scope.testMode, at, menu: undefined, database }
}

async function findPreview(c: Context<Env>, request: MenuRequest): Promise<RequestedPreview | undefined | 'none'> {
  const { merchantId } = request
  const [release, preview] = [readParameter(c, 'release'), readParameter(c, 'preview')]
  if (release !== undefined) {
    const found = await c.var.planned?.openLink(merchantId, release)
    return found && { ...found, menu: undefined, parameter: 'release', value: release }
  }
  if (preview === undefined) return (await findPast(c, request)) ?? 'none'
  const found = await readPreview(c.env, merchantId, preview)
  if (!found) return undefined
  const { testMode, draft } = found
  const database = draft === undefined ? undefined : await c.var.planned?.openDraft({ merchantId, testMode }, draft)
  if (draft !== undefined && !database) return undefined
  return { ...found, parameter: 'preview', value: preview, database }
}

/**
 * The request with the preview that its parameter `release` or `preview` names, or its key and `at`. Otherwise, if the parameter is not valid, its
 * name. A release that is not shown counts as a miss. Throws the problem of a key.
 */
export async function withPreview(c: Context<Env>, request: MenuRequest): Promise<MenuRequest | 'preview' | 'release'> {
  const found = await findPreview(c, request)
  if (found === 'none') return request
  if (found) return { ...request, tagName: undefined, at: found.at, preview: found }
  if (readParameter(c, 'release') === undefined) return 'preview'
  await isOneMissTooMany(c)
  return 'release'
}
