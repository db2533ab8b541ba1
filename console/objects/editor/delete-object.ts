import { personApi } from '../../app/api.ts'
import { isDrafted } from '../../app/frame/prepared.ts'
import { t } from '../../app/language.ts'
import { session } from '../../app/session.ts'
import { showAlert, showError, showStatus } from '../../ui/toasts.tsx'
import type { EditorProps, Stored } from '../editor-parts.ts'
import { describeRestored, describeRestoreError, findRestorable } from '../history/restored.ts'

/** Reads the external id of an object. Returns a function that gives it to another object. */
async function takeExternalId(resource: string, id: string): Promise<(other: string) => Promise<void>> {
  const at = (object: string) => `/merchants/${session.value?.merchant.id}/${resource}/${object}`
  const { externalId } = await personApi.get<{ externalId?: string }>(at(id), { include: 'externalId' })
  return async (other) => {
    if (externalId === undefined) return
    await personApi.send({ method: 'POST', path: `${at(other)}/external-id`, body: { externalId } })
  }
}

/** Prepares an object of a resource that the service does not restore to be created again. */
async function prepareRecreation<Item extends Stored, Body extends object, Form extends object>(
  { store, form: { toForm, toBody }, scope, recreatedHint }: EditorProps<Item, Body, Form>,
  deleted: Item,
): Promise<() => Promise<void>> {
  const giveExternalId = await takeExternalId(scope.replace(/:.*/, ''), deleted.id)
  return async () => {
    const { item } = await store.create(toBody(toForm(deleted)))
    await giveExternalId(item.id)
    showStatus(`${t().object.restored(store.titleOf(deleted))} ${recreatedHint}`)
  }
}

/** Deletes an object and shows a message, which offers to bring it back. */
export async function deleteObject<Item extends Stored, Body extends object, Form extends object>(
  props: EditorProps<Item, Body, Form>,
  deleted: Item,
): Promise<void> {
  const { store, scope, recreatedHint } = props
  const { id } = deleted
  const title = store.titleOf(deleted)
  const resource = findRestorable(scope)
  const recreate = recreatedHint === undefined ? undefined : await prepareRecreation(props, deleted)
  await store.remove(id)
  const restore = async () => {
    if (resource) showStatus(await describeRestored(resource, title, await store.restore(id)))
  }
  const undo = recreate
    ? () => void recreate().catch(showError)
    : () => void restore().catch((error) => showAlert(describeRestoreError(error)))
  showStatus((isDrafted() ? t().release.willDelete : t().object.deleted)(title), undo)
}
