import { useSignal } from '@preact/signals'
import type { Release } from '../../../packages/client/src/client.ts'
import { liveApi } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { session } from '../../app/session.ts'
import { fromLocalTime, toLocalTime } from '../../app/time/zoned-time.ts'
import { Field } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { nameZone } from '../contents/named-codes.ts'
import { findNextFriday, leaveRelease } from './prepare.ts'

/** Asks when the changes are published. */
export function ScheduleDialog({ release, onClose }: { release: Release; onClose: () => void }) {
  const { release: texts, coupons } = t()
  const { id, publishAt } = release
  const local = useSignal(publishAt === undefined ? findNextFriday() : toLocalTime(publishAt))
  const error = useSignal<string | undefined>(undefined)
  const store = async (at: number | null) => {
    try {
      await liveApi().releases.update(id, { publishAt: at })
      onClose()
      leaveRelease()
      showStatus(at === null ? texts.unscheduled : texts.scheduled(formatTime(at)))
    } catch (failure) {
      if (readFieldErrors(failure).has('publishAt')) error.value = texts.mustBeFuture
      else showError(failure)
    }
  }
  return (
    <FormDialog
      title={texts.publishOn}
      submit={texts.schedule}
      onSubmit={async () => {
        const at = fromLocalTime(local.value)
        if (at === undefined) error.value = texts.mustBeFuture
        else await store(at)
      }}
      onClose={onClose}
    >
      <Field
        label={texts.publishOn}
        value={local.value}
        error={error.value}
        hint={coupons.timeHint(nameZone(session.value?.merchant.timezone))}
        input={{ type: 'datetime-local', required: true }}
        onInput={(text) => {
          local.value = text
          error.value = undefined
        }}
      />
      {publishAt !== undefined && (
        <button type="button" class="quiet" onClick={() => store(null)}>
          {texts.unschedule}
        </button>
      )}
    </FormDialog>
  )
}
