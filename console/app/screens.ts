import type { ComponentType } from 'preact'
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
  load: () => Promise<{ default: ComponentType }>
}

const loadCatalogue = () => import('../screens/catalogue.ts')
const loadVenue = () => import('../screens/venue.ts')

/** All screens, in the order of the navigation. Screens that share most of their parts are one download. */
const screens: readonly Screen[] = [
  {
    path: '/today',
    name: 'today',
    icon: 'today',
    scope: 'menus:read',
    load: async () => ({ default: (await loadCatalogue()).Today }),
  },
  {
    path: '/products',
    name: 'products',
    icon: 'products',
    scope: 'products:read',
    load: async () => ({ default: (await loadCatalogue()).Products }),
  },
  {
    path: '/modifiers',
    name: 'modifiers',
    icon: 'modifiers',
    scope: 'modifiers:read',
    load: async () => ({ default: (await loadCatalogue()).Modifiers }),
  },
  {
    path: '/menus',
    name: 'menus',
    icon: 'menus',
    scope: 'menus:read',
    load: async () => ({ default: (await loadCatalogue()).Menus }),
  },
  {
    path: '/coupons',
    name: 'coupons',
    icon: 'coupons',
    scope: 'coupons:read',
    load: async () => ({ default: (await loadCatalogue()).Coupons }),
  },
  {
    path: '/customers',
    name: 'customers',
    icon: 'account',
    scope: 'customers:read',
    load: async () => ({ default: (await loadCatalogue()).Customers }),
  },
  {
    path: '/tables',
    name: 'tables',
    icon: 'tables',
    scope: 'tags:read',
    load: async () => ({ default: (await loadVenue()).Tables }),
  },
  {
    path: '/sold-out',
    name: 'soldOut',
    icon: 'soldOut',
    scope: 'stock:read',
    load: async () => ({ default: (await loadCatalogue()).SoldOut }),
  },
  {
    path: '/webhooks',
    name: 'webhooks',
    icon: 'webhooks',
    scope: 'webhooks:read',
    load: async () => ({ default: (await loadVenue()).Webhooks }),
  },
  {
    path: '/import-export',
    name: 'transfer',
    icon: 'transfer',
    scope: 'products:write',
    load: async () => ({ default: (await loadVenue()).Transfer }),
  },
  {
    path: '/settings',
    name: 'settings',
    icon: 'settings',
    load: async () => ({ default: (await loadVenue()).Settings }),
  },
  {
    path: '/venues',
    name: 'venues',
    icon: 'tables',
    isOperator: true,
    load: async () => ({ default: (await loadVenue()).Venues }),
  },
]

/** The screens that the session may use. */
export const listScreens = () =>
  screens.filter(({ scope, isOperator = false }) =>
    operator.value ? isOperator : !isOperator && (scope === undefined || hasScope(scope)),
  )
/** The screen of a path: that of its first segment. */
export const findScreen = (path: string) =>
  listScreens().find((screen) => path === screen.path || path.startsWith(`${screen.path}/`))
