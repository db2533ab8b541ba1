import { t } from '../../app/language.ts'
import { Confirm } from '../../ui/dialog.tsx'

/** Asks whether typed changes may be discarded. */
export function DiscardQuestion({ onDiscard, onCancel }: { onDiscard: () => void; onCancel: () => void }) {
  const { object: texts } = t()
  return (
    <Confirm
      title={texts.unsaved}
      text={texts.unsavedHint}
      confirm={texts.discard}
      cancel={texts.keepEditing}
      onConfirm={onDiscard}
      onCancel={onCancel}
    />
  )
}
