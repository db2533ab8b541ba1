import { ApiError } from '../../errors.ts'
import type { OperatorIdentity } from './operators.ts'

/**
 * Requests of the role `support`, as methods and paths below `/admin`. Every other request needs the role `admin`: a new route is closed until it is
 * listed. None of them shows data of guests, secrets or files, and none creates credentials.
 */
export const supportRoutes: readonly (readonly [method: string, path: string])[] = [
  ['GET', 'merchants'],
  ['GET', 'merchants/:merchantId'],
  ['GET', 'merchants/:merchantId/usage'],
  ['GET', 'merchants/:merchantId/keys'],
  ['GET', 'merchants/:merchantId/move'],
  ['GET', 'merchants/:merchantId/code-clashes'],
  ['GET', 'failing-webhooks'],
  ['GET', 'maintenance'],
  ['GET', 'metrics'],
  ['GET', 'operators'],
  ['GET', 'operators/:operatorId'],
  ['GET', 'sessions'],
  ['DELETE', 'sessions/:sessionId'],
]

const patterns = supportRoutes.map(([method, path]) => ({
  method,
  path: new RegExp(`^/admin/${path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** Rejects a request that the operator's role does not allow. */
export function requireOperatorRight({ role }: OperatorIdentity, method: string, path: string): void {
  const asked = method === 'HEAD' ? 'GET' : method
  if (role === 'admin' || patterns.some((route) => route.method === asked && route.path.test(path))) return
  throw new ApiError('forbidden', 'The role support does not allow this request.')
}
