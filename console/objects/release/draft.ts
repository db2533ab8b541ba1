import { signal } from '@preact/signals'
import type { Release, ReleaseChange, ReleaseCheck } from '../../../packages/client/src/client.ts'
import { liveApi } from '../../app/api.ts'

/** The release that gets the changes, and what it changes at present. */
export const openedRelease = signal<Release | undefined>(undefined)
export const checked = signal<ReleaseCheck | undefined>(undefined)

export type PreparedChange = ReleaseCheck['changes'][number]
/** Resources whose changes the console prepares. */
export type Prepared = 'products' | 'modifiers' | 'menus'

/** Whether a release can be changed. */
export const isOpen = ({ state }: Release) => state === 'draft' || state === 'scheduled' || state === 'failed'

/** Reads what the release changes. */
async function readCheck(id: string): Promise<ReleaseCheck> {
  checked.value = await liveApi().releases.check(id)
  return checked.value
}

/** Reads a release and what it changes. Returns whether it can be changed. */
export async function readRelease(id: string): Promise<boolean> {
  const found = await liveApi().releases.retrieve(id)
  if (isOpen(found)) {
    await readCheck(id)
    openedRelease.value = found
  }
  return isOpen(found)
}

/** The release that gets the changes. */
export function requireRelease(): Release {
  if (!openedRelease.value) throw new Error('No release is open.')
  return openedRelease.value
}

/** Puts changes into the release. Returns the ids of their objects. */
export async function add(operations: ReleaseChange[]): Promise<string[]> {
  const { operations: added, ...next } = await liveApi().releases.add(requireRelease().id, operations)
  openedRelease.value = next
  await readCheck(next.id)
  return added.map(({ id }) => id)
}

/** Takes all changes of an object out of the release. */
export async function remove(id: string): Promise<void> {
  openedRelease.value = await liveApi().releases.remove(requireRelease().id, id)
  await readCheck(openedRelease.value.id)
}

export const findChange = (resource: Prepared, id: string): PreparedChange | undefined =>
  checked.value?.changes.find((change) => change.resource === resource && change.id === id)

/** Values of a part of an object after the release: of the object itself, or of its details. `null`: not set. */
export const readValues = ({ after }: PreparedChange, part: 'body' | 'details'): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([pointer, value]) =>
      pointer.startsWith(`/${part}/`) ? [[pointer.slice(part.length + 2), value]] : [],
    ),
  )
