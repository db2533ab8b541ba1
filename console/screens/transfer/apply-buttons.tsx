import { useSignal } from '@preact/signals'
import type { Import } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'
import { apply, cancel, deletions, isRunning } from './import-store.ts'

/** The objects that an import will delete. */
export function Deletions({ current }: { current: Import }) {
  const { transfer: texts } = t()
  const count = current.check?.deletes ?? 0
  const titles = deletions.value.map(({ title }) => title).join(', ')
  return (
    <p class="error">
      {texts.deleteMissingHint} {count > 0 && texts.deletes(count, titles)}
      {count > deletions.value.length && ' …'}
    </p>
  )
}

/** Buttons of the next steps. Applying asks first if many objects would be deleted. */
export function ApplyButtons({ current }: { current: Import }) {
  const { transfer: texts } = t()
  const isBusy = useSignal(false)
  const isAsking = useSignal(false)
  const { state, rows, failed, check } = current
  const count = check?.deletes ?? 0
  const act = async (change: () => Promise<void>) => {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await change()
    } catch (error) {
      showError(error)
    }
    isBusy.value = false
  }
  return (
    <div class="buttons">
      {state === 'ready' && (
        <button
          type="button"
          class="primary"
          disabled={rows === failed}
          aria-disabled={isBusy.value}
          onClick={() => {
            if (check?.needsConfirmation) isAsking.value = true
            else void act(apply)
          }}
        >
          {texts.apply}
        </button>
      )}
      {(state === 'ready' || state === 'asking' || isRunning(current)) && (
        <button type="button" class="quiet" onClick={() => act(cancel)}>
          {texts.cancel}
        </button>
      )}
      {isAsking.value && (
        <Confirm
          title={texts.confirmDeletes(count)}
          text={texts.deletes(count, deletions.value.map(({ title }) => title).join(', '))}
          confirm={texts.applyAndDelete}
          onConfirm={() => {
            isAsking.value = false
            void act(apply)
          }}
          onCancel={() => {
            isAsking.value = false
          }}
        />
      )}
    </div>
  )
}
