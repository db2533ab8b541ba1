import { useSignal } from '@preact/signals'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { useNames } from '../../app/operations.ts'
import { showAlert, showStatus } from '../../ui/toasts.tsx'
import { type DeletedEntry, describeRestored, describeRestoreError } from './restored.ts'

/** Deleted objects: what, when and by whom, and a button that restores each. */
export function DeletedList({ entries, onRestored }: { entries: readonly DeletedEntry[]; onRestored: () => void }) {
  const { history: texts, operations } = t()
  const { actorOf } = useNames(entries)
  const busy = useSignal<string | undefined>(undefined)
  const restore = async ({ resource, id, title }: DeletedEntry) => {
    if (busy.value !== undefined) return
    busy.value = id
    try {
      const { restored } = await api()[resource].restore(id)
      showStatus(await describeRestored(resource, title, restored))
      onRestored()
    } catch (error) {
      showAlert(describeRestoreError(error))
    }
    busy.value = undefined
  }
  return (
    <ul class="entries changes">
      {entries.map((entry) => (
        <li key={entry.id}>
          <span>
            {operations.named(operations.resources[entry.resource], entry.title)}
            <small>
              {formatTime(entry.deletedAt)} · {actorOf(entry) ?? texts.somebody}
            </small>
          </span>
          <button
            type="button"
            aria-label={texts.restoreOf(entry.title)}
            aria-disabled={busy.value === entry.id}
            onClick={() => restore(entry)}
          >
            {texts.restore}
          </button>
        </li>
      ))}
    </ul>
  )
}
