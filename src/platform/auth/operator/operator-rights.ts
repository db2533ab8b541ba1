import { ApiError } from '../../errors.ts'
import { hasScope } from '../authenticate.ts'
import type { OperatorIdentity } from './operator-identity.ts'
import type { PlatformScope } from './platform-keys.ts'

interface OperatorRoute {
  method: string
  /** Path below `/admin`. */
  path: string
  /** Whether the role `support` may use it. Such a route shows no data of guests, secrets or files, and creates no credentials but a session of support. */
  support?: true
  /** Scope with which platform keys may use it. Such a route reaches no data of merchants, and creates no credentials. */
  scope?: PlatformScope
}

const merchant = 'merchants/:merchantId'
const webhook = 'webhooks/:webhookId'
const [readWebhooks, writeWebhooks] = ['platform:webhooks:read', 'platform:webhooks:write'] as const
const [readMerchants, writeMerchants] = ['platform:merchants:read', 'platform:merchants:write'] as const
/** Requests that need less than the role `admin`. A new route is closed until it is listed. */
export const openRoutes: readonly OperatorRoute[] = [
  { method: 'GET', path: 'merchants', support: true, scope: readMerchants },
  { method: 'POST', path: 'merchants', scope: writeMerchants },
  { method: 'GET', path: merchant, support: true, scope: readMerchants },
  { method: 'POST', path: merchant, scope: writeMerchants },
  ...['suspend', 'resume', 'close', 'reopen'].map((change) => ({
    method: 'POST',
    path: `${merchant}/${change}`,
    scope: writeMerchants,
  })),
  { method: 'GET', path: `${merchant}/usage`, support: true, scope: 'platform:usage:read' },
  { method: 'GET', path: `${merchant}/keys`, support: true },
  // Starts an hour of support: the venue decides what it allows.
  { method: 'POST', path: `${merchant}/support`, support: true },
  { method: 'GET', path: `${merchant}/move`, support: true, scope: readMerchants },
  { method: 'GET', path: `${merchant}/code-clashes`, support: true },
  { method: 'GET', path: 'failing-webhooks', support: true },
  { method: 'GET', path: 'webhooks', scope: readWebhooks },
  { method: 'POST', path: 'webhooks', scope: writeWebhooks },
  { method: 'GET', path: webhook, scope: readWebhooks },
  { method: 'POST', path: webhook, scope: writeWebhooks },
  { method: 'DELETE', path: webhook, scope: writeWebhooks },
  { method: 'GET', path: `${webhook}/filter`, scope: readWebhooks },
  { method: 'GET', path: `${webhook}/deliveries`, scope: readWebhooks },
  { method: 'GET', path: `${webhook}/secret`, scope: writeWebhooks },
  ...['filter', 'recover', 'secret/rotate', 'token/rotate'].map((part) => ({
    method: 'POST',
    path: `${webhook}/${part}`,
    scope: writeWebhooks,
  })),
  { method: 'GET', path: 'maintenance', support: true },
  { method: 'GET', path: 'metrics', support: true, scope: 'platform:usage:read' },
  { method: 'GET', path: 'operators', support: true },
  { method: 'GET', path: 'operators/:operatorId', support: true },
  { method: 'GET', path: 'sessions', support: true },
  { method: 'DELETE', path: 'sessions/:sessionId', support: true },
]

const patterns = openRoutes.map((route) => ({
  ...route,
  form: new RegExp(`^/admin/${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** Rejects a request that the operator's role, or the scopes of the platform key, do not allow. */
export function requireOperatorRight({ role, scopes = [] }: OperatorIdentity, method: string, path: string): void {
  if (role === 'admin') return
  const asked = method === 'HEAD' ? 'GET' : method
  const route = patterns.find((known) => known.method === asked && known.form.test(path))
  if (role === 'support') {
    if (route?.support) return
    throw new ApiError('forbidden', 'The role support does not allow this request.')
  }
  if (route?.scope && hasScope(scopes, route.scope)) return
  const needed = route?.scope
  throw new ApiError(
    'forbidden',
    needed ? `The key lacks the scope ${needed}.` : 'No platform key allows this request.',
  )
}
