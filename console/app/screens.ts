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

/** A screen of a file: the component, and the name that its path, its texts and its icon share. */
const show = <Component extends string>(
  loadFile: () => Promise<{ default: Readonly<Record<NoInfer<Component>, ComponentType>> }>,
  component: Component,
  name: Screen['name'] & IconName,
  more: Partial<Screen> = {},
): Screen => ({
  path: `/${name}`,
  name,
  icon: name,
  load: async () => (await loadFile()).default[component],
  ...more,
})

/** All screens, in the order of the navigation. */
const screens: readonly Screen[] = [
  show(loadLists, 'Today', 'today', { scope: 'menus:read' }),
  show(loadLists, 'Products', 'products', { scope: 'products:read' }),
  show(loadLists, 'Modifiers', 'modifiers', { scope: 'modifiers:read' }),
  show(loadEditors, 'Menus', 'menus', { scope: 'menus:read' }),
  show(loadLists, 'Coupons', 'coupons', { scope: 'coupons:read' }),
  show(loadLists, 'Customers', 'customers', { scope: 'customers:read' }),
  show(loadLists, 'Tables', 'tables', { scope: 'tags:read' }),
  show(loadLists, 'SoldOut', 'soldOut', { path: '/sold-out', scope: 'stock:read' }),
  show(loadOffice, 'Webhooks', 'webhooks', { scope: 'webhooks:read' }),
  show(loadOffice, 'Transfer', 'transfer', {
    path: '/import-export',
    scope: 'products:write',
    isClosedToSupport: true,
  }),
  show(loadOffice, 'Settings', 'settings'),
  show(loadOffice, 'Venues', 'venues', { isOperator: true }),
  show(loadOffice, 'Operators', 'customers', { path: '/operators', name: 'operators', isOperator: true }),
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
