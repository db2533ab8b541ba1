import type { Texts } from '../texts/en.ts'
import type { IconName } from '../ui/icons.tsx'
import { hasScope, operator } from './session.ts'

export interface Screen {
  /** Path of the screen below `/console`. */
  path: string
  name: keyof Texts['screens']
  icon: IconName
  /** Scope without which the screen shows nothing. Absent: every session may use it. */
  scope?: string
  /** Whether it is a screen of the operator. */
  isOperator?: true
}

/** All screens, in the order of the navigation. */
const screens: readonly Screen[] = [
  { path: '/today', name: 'today', icon: 'today', scope: 'menus:read' },
  { path: '/products', name: 'products', icon: 'products', scope: 'products:read' },
  { path: '/modifiers', name: 'modifiers', icon: 'modifiers', scope: 'modifiers:read' },
  { path: '/menus', name: 'menus', icon: 'menus', scope: 'menus:read' },
  { path: '/coupons', name: 'coupons', icon: 'coupons', scope: 'coupons:read' },
  { path: '/customers', name: 'customers', icon: 'account', scope: 'customers:read' },
  { path: '/tables', name: 'tables', icon: 'tables', scope: 'tags:read' },
  { path: '/sold-out', name: 'soldOut', icon: 'soldOut', scope: 'stock:read' },
  { path: '/webhooks', name: 'webhooks', icon: 'webhooks', scope: 'webhooks:read' },
  { path: '/import-export', name: 'transfer', icon: 'transfer', scope: 'products:write' },
  { path: '/settings', name: 'settings', icon: 'settings' },
  { path: '/venues', name: 'venues', icon: 'tables', isOperator: true },
]

/** The screens that the session may use. */
export const listScreens = () =>
  screens.filter(({ scope, isOperator = false }) =>
    operator.value ? isOperator : !isOperator && (scope === undefined || hasScope(scope)),
  )
/** The screen of a path: that of its first segment. */
export const findScreen = (path: string) =>
  listScreens().find((screen) => path === screen.path || path.startsWith(`${screen.path}/`))
