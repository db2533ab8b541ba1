import { signal } from '@preact/signals'
import type { Import, ImportIssue, ImportOptions } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'
import type { ResourceName } from './resources.ts'

/** Most faults that are shown. */
const maxFaults = 200
/** Pause between two looks at an import that somebody else started, in milliseconds. */
const pollMs = 1_000

/** The import that is open. */
export const current = signal<Import | undefined>(undefined)
/** Faults of its rows. */
export const faults = signal<readonly ImportIssue[]>([])
/** Increases with every import that starts or ends, so that lists are read again. */
export const revision = signal(0)

export const isRunning = ({ state }: Import) => state === 'checking' || state === 'applying'
const show = (next: Import) => {
  current.value = next
}

/** Shows an import until another one is shown. */
async function settle(found: Import): Promise<void> {
  show(found)
  faults.value = []
  revision.value++
  if (found.failed === 0 && found.state !== 'failed') return
  const list: ImportIssue[] = []
  for await (const fault of api().imports.errors(found.id)) {
    list.push(fault)
    if (list.length === maxFaults) break
  }
  if (current.value?.id === found.id) faults.value = list
}

/** Uploads a file, and waits until its rows are checked. */
export async function check(
  resource: ResourceName | undefined,
  file: File,
  options: Pick<ImportOptions, 'match' | 'delete'>,
): Promise<void> {
  const type = /\.csv$/i.test(file.name) ? 'text/csv' : 'application/jsonl'
  faults.value = []
  await settle(await api().import(resource, new Blob([file]), { ...options, type, onProgress: show }))
}

/** Applies the open import. */
export async function apply(): Promise<void> {
  const { value } = current
  if (!value) return
  const done = await api().imports.apply(value.id, { onProgress: show })
  await settle(done)
  showStatus(t().transfer.counts(done.created, done.updated, done.unchanged))
}

export async function cancel(): Promise<void> {
  if (current.value) await settle(await api().imports.cancel(current.value.id))
}

/** Opens an import, and follows it while it runs. */
export async function open(found: Import): Promise<void> {
  show(found)
  try {
    for (let next = found; ; next = await api().imports.retrieve(found.id)) {
      if (current.value?.id !== found.id) return
      if (!isRunning(next)) return await settle(next)
      show(next)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  } catch (error) {
    showError(error)
  }
}
