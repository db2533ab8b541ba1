import type { Context } from 'hono'
import * as z from 'zod/mini'
import { ApiError } from '../../errors.ts'
import type { KeyScope } from '../api-keys.ts'

/** Rights that a venue gives to operators of the service. */
export type SupportAccess = 'off' | 'read' | 'write'

const readScopes = [
  'products:read',
  'modifiers:read',
  'menus:read',
  'coupons:read',
  'tags:read',
  'webhooks:read',
  'stock:read',
  'events:read',
  'audit:read',
  'changes:read',
  'releases:read',
  'merchant:read',
  'keys:read',
  'members:read',
] as const satisfies readonly KeyScope[]
/** Scopes of support. They contain neither customers nor redemptions, which name them. */
export const supportScopes = {
  read: readScopes,
  write: [...readScopes, 'products:write', 'menus:write', 'stock:write'],
} as const satisfies Readonly<Record<'read' | 'write', readonly KeyScope[]>>

interface SupportRoute {
  method: string
  /** Path below `/merchants/:merchantId`. */
  path: string
  /** Whether the venue must allow writes. */
  writes?: true
}

const get = (path: string): SupportRoute => ({ method: 'GET', path })
const write = (method: string, path: string): SupportRoute => ({ method, path, writes: true })
const read = ['products', 'modifiers', 'menus', 'coupons', 'tags', 'webhooks']
const written = ['products', 'menus']

/**
 * Requests of support. A new route is closed until it is listed. None of them exports, shows secrets or codes for single use, makes credentials or
 * addresses that work without a session, or is about customers.
 */
export const openToSupport: readonly SupportRoute[] = [
  ...['', 'audit', 'changes', 'changes/:id', 'charges', 'events', 'invitations', 'keys', 'members'].map(get),
  ...['members/:memberId', 'pulse', 'releases', 'releases/:id', 'releases/:id/operations', 'requests'].map(get),
  ...['scans', 'service', 'sessions', 'stock', 'test-data'].map(get),
  ...['imports', 'imports/:id', 'imports/:id/deletions', 'imports/:id/errors', 'imports/:id/preview'].map(get),
  ...read.flatMap((path) => ['', '/:id', '/:id/versions', '/external/:externalId'].map((part) => get(path + part))),
  ...['products', 'modifiers', 'menus', 'tags'].map((path) => get(`${path}/:id/details`)),
  ...['products/:id/availability', 'modifiers/:id/availability', 'coupons/:id/limits', 'tags/:id/scans'].map(get),
  ...['webhooks/:id/deliveries', 'webhooks/:id/filter'].map(get),
  { method: 'DELETE', path: 'sessions/:sessionId' },
  ...written.flatMap((path) => [
    write('POST', path),
    write('DELETE', `${path}/:id`),
    write('PUT', `${path}/external/:externalId`),
    write('DELETE', `${path}/external/:externalId`),
    ...['', '/details', '/external-id', '/restore'].map((part) => write('POST', `${path}/:id${part}`)),
  ]),
  ...['products/:id/availability', 'products/:id/images', 'modifiers/:id/availability'].map((path) =>
    write('POST', path),
  ),
  ...['menus/:id/banner', 'menus/:id/icon', 'batch'].map((path) => write('POST', path)),
]

const patterns = openToSupport.map((route) => ({
  ...route,
  // Ids have an underscore, other parts of paths have none.
  form: new RegExp(`^${route.path.replace(':externalId', '[^/]+').replaceAll(/:\w+/g, '[^/]+_[^/]+')}$`),
}))

/** Rejects a request to a merchant that support may not send. Sign-out and the session itself are no requests to a merchant. */
export function requireSupportRight({ req: { method, path } }: Context, access: SupportAccess): void {
  // A part of a path can contain line breaks.
  const [, ofMerchant] = /^\/merchants\/[^/]+\/?(.*)$/s.exec(path) ?? []
  if (ofMerchant === undefined) return
  const asked = method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method
  const route = patterns.find((known) => known.method === asked && known.form.test(ofMerchant))
  if (!route) throw new ApiError('forbidden', 'Support does not allow this request.')
  if (route.writes && access !== 'write')
    throw new ApiError('forbidden', 'The venue allows support only to read: its field supportAccess is not write.')
}

const object = z.looseObject({})
const body = z.union([z.array(object), object])
const attempts = z.array(object)
/** Endpoints can echo events, those of customers and orders included. */
const withoutResponse = ({ response: _response, ...attempt }: z.output<typeof object>) => attempt
const hide = (shown: z.output<typeof object>) => ({
  ...shown,
  ...('bearerToken' in shown && { bearerToken: '' }),
  ...('attempts' in shown && { attempts: attempts.parse(shown['attempts']).map(withoutResponse) }),
})
/** Empties the bearer tokens of webhooks in a response, and removes what their endpoints answered. */
export async function hideTokens(c: Context): Promise<void> {
  if (!/^\/merchants\/[^/]+\/webhooks(?:\/|$)/.test(c.req.path) || !c.res.ok || c.res.body === null) return
  const { data } = body.safeParse(await c.res.json())
  const shown = Array.isArray(data) ? data.map(hide) : data && hide(data)
  const response = new Response(JSON.stringify(shown), c.res)
  // The tag is that of the response with tokens.
  const tag = response.headers.get('etag')
  if (tag !== null) response.headers.set('etag', tag.replace(/"$/, '.support"'))
  c.res = undefined
  c.res = response
}
