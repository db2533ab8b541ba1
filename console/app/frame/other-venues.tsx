import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Membership } from '../../../packages/client/src/client.ts'
import { showAlert, showError } from '../../ui/toasts.tsx'
import { personApi } from '../api.ts'
import { t } from '../language.ts'
import { base, clearGuards } from '../router.ts'
import { describeStatus, signInWithPasskey } from '../sign-in/passkeys.ts'

/** The other venues of the person. Opening one signs in to it with the passkey: each session is of one venue. */
export function OtherVenues() {
  const venues = useSignal<readonly Membership[]>([])
  useEffect(() => {
    personApi.get<Membership[]>('/console/memberships').then((found) => {
      venues.value = found.filter(({ current, suspended }) => !current && !suspended)
    }, showError)
  }, [])
  const open = async (merchant: string) => {
    try {
      const status = await signInWithPasskey({ merchant })
      if (status !== 201) return showAlert(describeStatus(status))
      // The loaded data belongs to the previous venue, whose session has ended, so it must be dropped. Typed text stays in the browser.
      clearGuards()
      location.assign(base)
    } catch (error) {
      showError(error)
    }
  }
  if (venues.value.length === 0) return null
  return (
    <fieldset class="choice">
      <legend>{t().settings.otherVenues}</legend>
      {venues.value.map(({ id, merchant }) => (
        <button key={id} type="button" class="quiet" onClick={() => open(merchant.id)}>
          {merchant.name}
        </button>
      ))}
    </fieldset>
  )
}
