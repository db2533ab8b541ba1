import type { roles } from '../db/schema/directory/users.ts'
import { defaultScopes, type KeyScope, scopes } from './api-keys.ts'

export type Role = (typeof roles)[number]

/** Scopes of each role. */
export const roleScopes: Readonly<Record<Role, readonly KeyScope[]>> = {
  owner: scopes,
  manager: defaultScopes.filter((scope) => scope !== 'audit:read'),
  staff: ['products:read', 'modifiers:read', 'menus:read', 'coupons:read', 'tags:read', 'stock:read', 'stock:write'],
  developer: [
    'webhooks:read',
    'webhooks:write',
    'events:read',
    'events:write',
    'audit:read',
    'keys:read',
    'keys:write',
  ],
}

/** Roles that create, roll and revoke keys of test mode only. */
export const testKeyRoles: ReadonlySet<Role> = new Set<Role>(['developer'])
