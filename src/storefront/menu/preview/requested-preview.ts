import type { Context } from 'hono'
import type { Env } from '../../../platform/http/context.ts'
import { type MenuRequest, readParameter } from '../menu-request.ts'
import { readPreview } from './preview-link.ts'

/** The request with the preview that its parameter `preview` names. Otherwise, if the parameter is not valid, its name. */
export async function withPreview(c: Context<Env>, request: MenuRequest): Promise<MenuRequest | 'preview'> {
  const value = readParameter(c, 'preview')
  if (value === undefined) return request
  const found = await readPreview(c.env, request.merchantId, value)
  return found ? { ...request, tagName: undefined, at: found.at, preview: { ...found, value } } : 'preview'
}
