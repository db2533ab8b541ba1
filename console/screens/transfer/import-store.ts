import { signal } from '@preact/signals'
import type {
  Import,
  ImportDeletion,
  ImportIssue,
  ImportMapping,
  ImportOptions,
  ImportPreview,
} from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { isTemporary } from '../../app/problems.ts'
import { clearAlerts, showError, showStatus } from '../../ui/toasts.tsx'
import type { ResourceName } from './resources.ts'

/** Maximum number of issues that are shown. */
export const maxIssues = 200
/** Maximum number of objects in the preview. */
const maxPreview = 50
/** Maximum number of deletions whose titles are shown. */
const maxDeletions = 20
/** Pause between two reads of a running import, in milliseconds. */
const pollMs = 1_000

/** Findings about a file. */
export type Reading = NonNullable<Import['reading']>

/** The import that is open. */
export const current = signal<Import | undefined>(undefined)
/** Issues of its rows. */
export const issues = signal<readonly ImportIssue[]>([])
/** Its first objects as they will be written. */
export const preview = signal<readonly ImportPreview[]>([])
/** The first objects that it will delete. */
export const deletions = signal<readonly ImportDeletion[]>([])
/** Increases with every import that starts or ends, so that lists are read again. */
export const revision = signal(0)

export const isRunning = ({ state }: Import) => state === 'checking' || state === 'applying'
const show = (next: Import) => {
  current.value = next
}

/** Shows an import until another one is shown. */
async function settle(found: Import): Promise<void> {
  show(found)
  issues.value = []
  preview.value = []
  deletions.value = []
  revision.value++
  if (found.state === 'ready' && found.mapping === 'auto') {
    const { items } = await api().imports.preview(found.id, { limit: maxPreview }).page()
    if (current.value?.id === found.id) preview.value = items
  }
  if (found.state === 'ready' && found.check?.deletes) {
    const { items } = await api().imports.deletions(found.id, { limit: maxDeletions }).page()
    if (current.value?.id === found.id) deletions.value = items
  }
  if (found.failed === 0 && found.state !== 'failed') return
  const list: ImportIssue[] = []
  for await (const issue of api().imports.errors(found.id)) {
    list.push(issue)
    if (list.length === maxIssues) break
  }
  if (current.value?.id === found.id) issues.value = list
}

/**
 * Follows an import until it no longer runs, even if the connection is lost: the service continues without it. Returns undefined if another import is
 * shown instead.
 */
async function follow(id: string): Promise<Import | undefined> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    if (current.value?.id !== id) return undefined
    try {
      const next = await api().imports.retrieve(id)
      clearAlerts()
      show(next)
      if (!isRunning(next)) return next
    } catch (error) {
      if (!isTemporary(error)) throw error
      showError(error)
    }
  }
}

/** Checks or applies an import. If the connection is lost during the request, follows the import. */
async function run(start: () => Promise<Import>): Promise<Import | undefined> {
  try {
    return await start()
  } catch (error) {
    const { value } = current
    if (!value || !isTemporary(error)) throw error
    showError(error)
    return await follow(value.id)
  }
}

/** Uploads a file, and waits until its rows are checked. */
export async function check(
  resource: ResourceName | undefined,
  file: File,
  options: Pick<ImportOptions, 'match' | 'delete' | 'sheet'>,
): Promise<void> {
  // The content decides what the file is.
  const read = { mapping: 'auto', type: 'text/csv' } as const
  issues.value = []
  current.value = undefined
  const checked = await run(() => api().import(resource, new Blob([file]), { ...options, ...read, onProgress: show }))
  if (checked) await settle(checked)
}

/** Answers questions about the file and changes what its columns become, and waits until the rows are checked again. */
export async function map(mapping: ImportMapping): Promise<void> {
  const { value } = current
  if (!value) return
  preview.value = []
  const choices = { ...mapping, revision: value.revision }
  const checked = await run(() => api().imports.map(value.id, choices, { onProgress: show }))
  if (checked) await settle(checked)
}

/** Closes the open import when its form changes, unless it is running: a different file or different options need another check. */
export function forget(): void {
  if (!current.value || isRunning(current.value)) return
  current.value = undefined
  issues.value = []
  preview.value = []
}

/** Applies the open import. */
export async function apply(): Promise<void> {
  const { value } = current
  if (!value) return
  // Confirms the deletions that are shown, and no further ones.
  const shown = { revision: value.revision, ...(value.check?.deletes && { confirmDeletes: value.check.deletes }) }
  const done = await run(() => api().imports.apply(value.id, { ...shown, onProgress: show }))
  if (!done) return
  await settle(done)
  if (done.state !== 'done') return
  showStatus(t().transfer.counts(done.created, done.updated, done.unchanged))
}

export async function cancel(): Promise<void> {
  if (current.value) await settle(await api().imports.cancel(current.value.id))
}

/** Opens an import, and follows it while it runs. */
export async function open(found: Import): Promise<void> {
  show(found)
  issues.value = []
  try {
    const done = isRunning(found) ? await follow(found.id) : found
    if (done) await settle(done)
  } catch (error) {
    showError(error)
  }
}
