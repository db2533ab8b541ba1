import type { ComponentChildren } from 'preact'
import { t } from '../../app/language.ts'
import { Icon } from '../../ui/icons.tsx'

/** The buttons of an editor. Without `onDelete`, the object does not exist yet and cannot be copied. */
export function EditorFooter({
  isBusy,
  onDelete,
  onDuplicate,
  onCancel,
  children,
}: {
  isBusy: boolean
  onDelete: (() => void) | undefined
  onDuplicate: (() => void) | undefined
  onCancel: () => void
  /** Further buttons. */
  children?: ComponentChildren
}) {
  const { action } = t()
  return (
    <>
      {onDelete && (
        <>
          <button type="button" class="quiet danger-text" onClick={onDelete}>
            <Icon name="trash" />
            {action.delete}
          </button>
          {onDuplicate && (
            <button type="button" class="quiet" onClick={onDuplicate}>
              <Icon name="copy" />
              {action.duplicate}
            </button>
          )}
        </>
      )}
      {children}
      <span class="space" />
      <button type="button" class="quiet" onClick={onCancel}>
        {action.cancel}
      </button>
      <button type="submit" form="object" class="primary" aria-disabled={isBusy}>
        {action.save}
      </button>
    </>
  )
}
