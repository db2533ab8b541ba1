import type { Context } from 'hono'
import { signHmac } from '../../platform/auth/hmac.ts'
import type { Env } from '../../platform/http/context.ts'
import { getLocalOrigin, requirePublicUrl } from '../../platform/http/public-url.ts'
import type { RenderContext, ValidationContext } from './definition.ts'

/**
 * Base URL and signature for rendering. Addresses in printed codes are configured. They are taken from the request only if none is
 * configured and the request was sent to this machine, because clients choose the `Host`.
 */
export function getRenderContext(c: Context<Env>): RenderContext {
  const sign = (text: string) => signHmac(c.env, text)
  const configured = requirePublicUrl(c.env)
  if (configured !== undefined) return { baseUrl: configured, sign }
  return { baseUrl: getLocalOrigin(c), sign }
}

/** Data for rules between fields, besides the object. */
export function getValidationContext(c: Context<Env>): ValidationContext {
  const configured = requirePublicUrl(c.env)
  return {
    allowInsecureWebhooks: Boolean(c.env.ALLOW_INSECURE_WEBHOOKS),
    grantedScopes: c.get('grantedScopes'),
    ownHosts: [c.req.url, ...(configured ? [configured] : [])].map((address) => new URL(address).host),
  }
}
