import { t } from '../../app/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { usePages } from '../../ui/paged.ts'
import { DeletedList } from './deleted-list.tsx'
import { type Restorable, readDeleted } from './restored.ts'

/** Number of objects of a page. */
const limit = 50

/** The deleted objects of a resource, the last deleted first. */
export function DeletedSheet(props: { resource: Restorable; onRestored: () => void; onClose: () => void }) {
  const { resource, onRestored, onClose } = props
  const { history: texts, shell, settings } = t()
  const { items, more, reload } = usePages(
    (cursor) => ({ page: () => readDeleted(resource, { limit, ...(cursor !== undefined && { cursor }) }) }),
    resource,
  )
  const restored = () => {
    onRestored()
    void reload()
  }
  return (
    <Dialog kind="sheet" title={texts.deleted} onClose={onClose}>
      <p class="hint">{texts.deletedHint}</p>
      {items.value === undefined && <p class="empty">{shell.loading}</p>}
      {items.value?.length === 0 && <p>{texts.nothingDeleted}</p>}
      <DeletedList entries={items.value ?? []} onRestored={restored} />
      {more && (
        <button type="button" class="quiet" onClick={more}>
          {settings.more}
        </button>
      )}
    </Dialog>
  )
}
