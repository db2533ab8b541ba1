import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { Texts } from '../texts/en.ts'
import type { IconName } from '../ui/icons.tsx'
import { loadPart } from './load-part.ts'
import { hasScope, isSupport, operator } from './session.ts'

export interface Screen {
  /** Path of the screen below `/console`. */
  path: string
  name: keyof Texts['screens']
  icon: IconName
  /** Loads its files. */
  load: () => Promise<ComponentType>
  /** Scope that the screen requires. Absent: every session may use it. */
  scope?: string
  /** Whether it is a screen of the operator. */
  isOperator?: true
  /** Whether support may do nothing there. */
  isClosedToSupport?: true
}

const loadLists = () => import('../screens/lists.tsx')
const loadEditors = () => import('../screens/editors.tsx')
const loadOffice = () => import('../screens/office.tsx')

/** All screens, in the order of the navigation. */
const screens: readonly Screen[] = [
  {
    path: '/today',
    name: 'today',
    icon: 'today',
    scope: 'menus:read',
    load: async () => (await loadLists()).default.Today,
  },
  {
    path: '/products',
    name: 'products',
    icon: 'products',
    scope: 'products:read',
    load: async () => (await loadLists()).default.Products,
  },
  {
    path: '/modifiers',
    name: 'modifiers',
    icon: 'modifiers',
    scope: 'modifiers:read',
    load: async () => (await loadLists()).default.Modifiers,
  },
  {
    path: '/menus',
    name: 'menus',
    icon: 'menus',
    scope: 'menus:read',
    load: async () => (await loadEditors()).default.Menus,
  },
  {
    path: '/coupons',
    name: 'coupons',
    icon: 'coupons',
    scope: 'coupons:read',
    load: async () => (await loadLists()).default.Coupons,
  },
  {
    path: '/customers',
    name: 'customers',
    icon: 'customers',
    scope: 'customers:read',
    load: async () => (await loadLists()).default.Customers,
  },
  {
    path: '/tables',
    name: 'tables',
    icon: 'tables',
    scope: 'tags:read',
    load: async () => (await loadLists()).default.Tables,
  },
  {
    path: '/sold-out',
    name: 'soldOut',
    icon: 'soldOut',
    scope: 'stock:read',
    load: async () => (await loadLists()).default.SoldOut,
  },
  {
    path: '/webhooks',
    name: 'webhooks',
    icon: 'webhooks',
    scope: 'webhooks:read',
    load: async () => (await loadOffice()).default.Webhooks,
  },
  {
    path: '/import-export',
    name: 'transfer',
    icon: 'transfer',
    scope: 'products:write',
    isClosedToSupport: true,
    load: async () => (await loadOffice()).default.Transfer,
  },
  {
    path: '/settings',
    name: 'settings',
    icon: 'settings',
    load: async () => (await loadOffice()).default.Settings,
  },
  {
    path: '/venues',
    name: 'venues',
    icon: 'venues',
    isOperator: true,
    load: async () => (await loadOffice()).default.Venues,
  },
  {
    path: '/operators',
    name: 'operators',
    icon: 'customers',
    isOperator: true,
    load: async () => (await loadOffice()).default.Operators,
  },
]

/** The screens that the session may use. */
export const listScreens = () =>
  screens.filter(({ scope, isOperator = false, isClosedToSupport }) =>
    operator.value
      ? isOperator
      : !isOperator && (scope === undefined || hasScope(scope)) && !(isClosedToSupport && isSupport()),
  )
/** The screen of a path: that of its first segment. */
export const findScreen = (path: string) =>
  listScreens().find((screen) => path === screen.path || path.startsWith(`${screen.path}/`))

/** The screens that are loaded, by their path. */
export const components = signal<ReadonlyMap<string, ComponentType>>(new Map())
/** Path of the screen that could not be loaded. */
export const unavailable = signal<string | undefined>(undefined)

/** Loads a screen, unless it is already loaded. */
export async function loadScreen({ path, load }: Screen): Promise<void> {
  if (components.value.has(path)) return
  unavailable.value = undefined
  const part = await loadPart(path, load)
  if (part) components.value = new Map(components.value).set(path, part)
  else unavailable.value = path
}

/** Loads the files of a screen that the person is about to open. */
export const prepareScreen = ({ load }: Screen): void => void load().catch(() => undefined)
