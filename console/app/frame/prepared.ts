import { signal } from '@preact/signals'
import type { BaseClient } from '../../../packages/client/src/client.ts'
import { path } from '../router.ts'
import { session } from '../session.ts'

/** Screens whose changes can be prepared. */
const screens = ['/products', '/modifiers', '/menus']
export const isPreparedScreen = (path: string) =>
  screens.some((screen) => path === screen || path.startsWith(`${screen}/`))

/** Name under which this tab stores the id of the release that gets the changes. */
const storageName = () => `console.release ${session.value?.merchant.id} ${session.value?.mode}`
/** Grows when the lists must be read again: with another release, or without one. */
export const preparedRevision = signal(0)

/** The id of the release that gets the changes of this tab. */
export const readPrepared = () => (session.value ? (sessionStorage.getItem(storageName()) ?? undefined) : undefined)

export function keepPrepared(id: string | undefined): void {
  if (id === undefined) sessionStorage.removeItem(storageName())
  else sessionStorage.setItem(storageName(), id)
  preparedRevision.value++
}

/** Turns the client into one that puts changes into the release. Undefined: changes are made at once. */
export const drafting = signal<((live: BaseClient) => BaseClient) | undefined>(undefined)
/** Whether changes on this screen go into a release. */
export const isDrafted = () => drafting.value !== undefined && isPreparedScreen(path.value)
/** Whether the person is asked what to prepare. */
export const isStarting = signal(false)
