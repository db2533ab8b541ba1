import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Merchant } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import type { Row } from '../../objects/change.ts'
import { DiscardQuestion } from '../../objects/editor/discard-question.tsx'
import { useLeaveGuard } from '../../objects/editor/leave-guard.ts'
import { showError } from '../../ui/toasts.tsx'
import { readVenue, useEditedVenue } from './edited-venue.ts'
import { BasicFields, ProfileFields, TaxFields } from './venue-fields.tsx'

/** The settings of the venue. */
export function Venue() {
  const row = useSignal<Row<Merchant> | undefined>(undefined)
  useEffect(() => {
    readVenue().then((found) => {
      row.value = found
    }, showError)
  }, [])
  return row.value ? <VenueSettings found={row.value} /> : <p class="hint loading">{t().shell.loading}</p>
}

function VenueSettings({ found }: { found: Row<Merchant> }) {
  const venue = useEditedVenue(found)
  const isLeaving = useSignal(false)
  const leave = useLeaveGuard(venue.isChanged, () => {
    isLeaving.value = true
  })
  const mayWrite = hasScope('merchant:write')
  return (
    <form ref={venue.element} class="form narrow" noValidate onSubmit={venue.save}>
      <fieldset class="plain" disabled={!mayWrite}>
        <BasicFields of={venue} />
        <TaxFields of={venue} />
        <ProfileFields of={venue} />
        {mayWrite && (
          <p>
            <button type="submit" class="primary" aria-disabled={venue.isBusy}>
              {t().action.save}
            </button>
          </p>
        )}
      </fieldset>
      {isLeaving.value && <DiscardQuestion onDiscard={leave} onCancel={() => (isLeaving.value = false)} />}
    </form>
  )
}
