import { t } from '../../app/language.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'
import type { EditorProps, Stored } from '../editor-parts.ts'
import { createExternalIdPart } from '../restore.ts'

/** Deletes an object and shows a message. Unless the deletion is final, it can be undone: the object is created again with its parts and a new id. */
export async function deleteObject<Item extends Stored, Body extends object, Form extends object>(
  {
    store,
    form: { toForm, toBody },
    parts = [],
    scope,
    isFinal = false,
    restoredHint = '',
  }: EditorProps<Item, Body, Form>,
  deleted: Item,
): Promise<void> {
  const { object: texts } = t()
  const title = store.titleOf(deleted)
  const stored = isFinal ? [] : [...parts, createExternalIdPart(scope.replace(/:.*/, ''))]
  const restoreParts = await Promise.all(stored.map((part) => part.prepareRestore(deleted)))
  await store.remove(deleted.id)
  const restore = async () => {
    const restored = await store.create(toBody(toForm(deleted)))
    for (const restorePart of restoreParts) await restorePart(restored.item)
    showStatus(`${texts.restored(title)} ${restoredHint}`)
  }
  showStatus(texts.deleted(title), isFinal ? undefined : () => void restore().catch(showError))
}
