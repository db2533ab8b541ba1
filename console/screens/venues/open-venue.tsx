import { useSignal } from '@preact/signals'
import type { Merchant, OwnSession } from '../../../packages/client/src/client.ts'
import { personApi } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { base, clearGuards } from '../../app/router.ts'
import { operator, startSession } from '../../app/session.ts'
import { Field } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'

/** Asks why the operator opens the venue, and opens it for an hour. */
function OpenDialog({ venue, onClose }: { venue: Merchant; onClose: () => void }) {
  const { support } = t()
  const reason = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const submit = async () => {
    try {
      startSession(await personApi.post<OwnSession>(`/admin/merchants/${venue.id}/support`, { reason: reason.value }))
      // Data that is loaded can belong to another venue.
      clearGuards()
      location.assign(base)
    } catch (problem) {
      error.value = readFieldErrors(problem).get('reason')
      showError(problem)
    }
  }
  return (
    <FormDialog title={support.title(venue.name)} submit={support.start} onSubmit={submit} onClose={onClose}>
      <Field
        label={support.reason}
        hint={support.reasonHint}
        value={reason.value}
        error={error.value}
        onInput={(typed) => {
          reason.value = typed
        }}
        input={{ required: true, maxLength: 255 }}
      />
      <p class="hint">{venue.supportAccess === 'write' ? support.write : support.read}</p>
    </FormDialog>
  )
}

/** Opens the console of a venue for an hour of support. A venue sees persons, so the token of the operator opens none. */
export function OpenVenue({ venue }: { venue: Merchant }) {
  const { support } = t()
  const isOpen = useSignal(false)
  if (venue.status !== 'active') return null
  if (venue.supportAccess === 'off') return <small>{support.off}</small>
  if (!operator.value?.operator) return <small>{support.onlyPersons}</small>
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {support.open}
      </button>
      {isOpen.value && (
        <OpenDialog
          venue={venue}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}
