import type { Context } from 'hono'
import type { Env } from '../../../platform/http/context.ts'
import { isOneMissTooMany } from '../../../platform/http/rate-limit.ts'
import { type MenuRequest, readParameter } from '../menu-request.ts'
import { type RequestedPreview, readPreview } from './preview-link.ts'

async function findPreview(c: Context<Env>, merchantId: string): Promise<RequestedPreview | undefined | 'none'> {
  const [release, preview] = [readParameter(c, 'release'), readParameter(c, 'preview')]
  if (release !== undefined) {
    const found = await c.var.planned?.openLink(merchantId, release)
    return found && { ...found, menu: undefined, parameter: 'release', value: release }
  }
  if (preview === undefined) return 'none'
  const found = await readPreview(c.env, merchantId, preview)
  if (!found) return undefined
  const { testMode, draft } = found
  const database = draft === undefined ? undefined : await c.var.planned?.openDraft({ merchantId, testMode }, draft)
  if (draft !== undefined && !database) return undefined
  return { ...found, parameter: 'preview', value: preview, database }
}

/**
 * The request with the preview that its parameter `release` or `preview` names. Otherwise, if the parameter is not valid, its name. A release that
 * is not shown counts as a miss.
 */
export async function withPreview(c: Context<Env>, request: MenuRequest): Promise<MenuRequest | 'preview' | 'release'> {
  const found = await findPreview(c, request.merchantId)
  if (found === 'none') return request
  if (found) return { ...request, tagName: undefined, at: found.at, preview: found }
  if (readParameter(c, 'release') === undefined) return 'preview'
  await isOneMissTooMany(c)
  return 'release'
}
