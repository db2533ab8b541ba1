import type { ComponentType } from 'preact'
import type { Texts } from '../texts/en.ts'
import type { IconName } from '../ui/icons.tsx'
import { hasScope } from './session.ts'

export interface Screen {
  /** Path of the screen below `/console`. */
  path: string
  name: keyof Texts['screens']
  icon: IconName
  /** Scope without which the screen shows nothing. Absent: every session may use it. */
  scope?: string
  load: () => Promise<{ default: ComponentType }>
}

/** All screens, in the order of the navigation. Each is a download of its own. */
const screens: readonly Screen[] = [
  {
    path: '/products',
    name: 'products',
    icon: 'products',
    scope: 'products:read',
    load: () => import('../screens/products/products.tsx'),
  },
  {
    path: '/modifiers',
    name: 'modifiers',
    icon: 'modifiers',
    scope: 'modifiers:read',
    load: () => import('../screens/modifiers/modifiers.tsx'),
  },
  {
    path: '/menus',
    name: 'menus',
    icon: 'menus',
    scope: 'menus:read',
    load: () => import('../screens/menus/menus.tsx'),
  },
  {
    path: '/coupons',
    name: 'coupons',
    icon: 'coupons',
    scope: 'coupons:read',
    load: () => import('../screens/coupons/coupons.tsx'),
  },
  {
    path: '/customers',
    name: 'customers',
    icon: 'account',
    scope: 'customers:read',
    load: () => import('../screens/customers/customers.tsx'),
  },
  {
    path: '/tables',
    name: 'tables',
    icon: 'tables',
    scope: 'tags:read',
    load: () => import('../screens/tables/tables.tsx'),
  },
  {
    path: '/sold-out',
    name: 'soldOut',
    icon: 'soldOut',
    scope: 'stock:read',
    load: () => import('../screens/sold-out/sold-out.tsx'),
  },
  {
    path: '/webhooks',
    name: 'webhooks',
    icon: 'webhooks',
    scope: 'webhooks:read',
    load: () => import('../screens/webhooks/webhooks.tsx'),
  },
  {
    path: '/import-export',
    name: 'transfer',
    icon: 'transfer',
    scope: 'products:write',
    load: () => import('../screens/transfer/transfer.tsx'),
  },
  {
    path: '/settings',
    name: 'settings',
    icon: 'settings',
    load: () => import('../screens/settings/settings.tsx'),
  },
]

/** The screens that the session may use. */
export const listScreens = () => screens.filter(({ scope }) => scope === undefined || hasScope(scope))
/** The screen of a path: that of its first segment. */
export const findScreen = (path: string) =>
  listScreens().find((screen) => path === screen.path || path.startsWith(`${screen.path}/`))
