import { signal } from '@preact/signals'
import type { Modifier } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'

/** Maximum number of modifiers that the editor of a product offers. */
const maxOffered = 1_000
export const offered = signal<readonly Modifier[]>([])

export async function loadModifiers(): Promise<void> {
  const found: Modifier[] = []
  for await (const modifier of api().modifiers.list({ limit: 100, include: ['details'] })) {
    found.push(modifier)
    if (found.length === maxOffered) break
  }
  offered.value = found.sort((a, b) => a.title.localeCompare(b.title))
}

/** Title of a modifier; `…` until it is loaded. */
export const getModifierTitle = (id: string) => offered.value.find((modifier) => modifier.id === id)?.title ?? '…'
