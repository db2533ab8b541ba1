import { useSignal } from '@preact/signals'
import type { Merchant } from '../../../packages/client/src/client.ts'
import { operatorApi } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { navigate, path } from '../../app/router.ts'
import { Check, SearchField } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { usePages } from '../../ui/paged.ts'
import { showError } from '../../ui/toasts.tsx'
import { NewVenue } from './new-venue.tsx'
import { VenueSheet } from './venue-sheet.tsx'

const root = '/venues'
/** Pause after a keystroke before the search is sent, in milliseconds. */
const searchPauseMs = 120
let timer: ReturnType<typeof setTimeout> | undefined

/** All venues of the service, for its operator. */
export default function Venues() {
  const { venues: texts, screens, settings, shell } = t()
  const typed = useSignal('')
  const q = useSignal('')
  const isMaking = useSignal(false)
  const { items, reload, more } = usePages(
    (cursor) =>
      operatorApi().merchants.list({ ...(q.value && { q: q.value }), ...(cursor === undefined ? {} : { cursor }) }),
    q.value,
  )
  const opened = path.value.slice(root.length + 1)
  /** Venues whose deliveries failed, with how many; undefined: all venues are shown. */
  const failing = useSignal<readonly { venue: Merchant; failed: number }[] | undefined>(undefined)
  const isChecking = useSignal(false)
  const list = failing.value?.map(({ venue }) => venue) ?? items.value
  const failedOf = (id: string) => failing.value?.find(({ venue }) => venue.id === id)?.failed
  /** Each venue has its own log of deliveries: they are read one after the other. */
  const check = async () => {
    isChecking.value = true
    failing.value = []
    try {
      for await (const venue of operatorApi().merchants.list({ limit: 100, ...(q.value && { q: q.value }) })) {
        const { failed } = (await operatorApi().merchants.usage(venue.id)).deliveries
        if (failed > 0) failing.value = [...failing.value, { venue, failed }]
      }
    } catch (error) {
      showError(error)
    }
    isChecking.value = false
  }
  return (
    <>
      <div class="tools">
        <SearchField
          label={texts.search}
          value={typed.value}
          onInput={(text) => {
            typed.value = text
            clearTimeout(timer)
            timer = setTimeout(() => {
              q.value = text.trim()
            }, searchPauseMs)
          }}
        />
        <Check
          label={texts.onlyFailing}
          isOn={failing.value !== undefined}
          onChange={(isOn) => {
            failing.value = undefined
            if (isOn) void check()
          }}
        />
        <button type="button" class="primary" data-shortcut="create" onClick={() => (isMaking.value = true)}>
          <Icon name="plus" />
          {texts.create}
        </button>
      </div>
      {(!list || isChecking.value) && <p class="empty">{shell.loading}</p>}
      {list?.length === 0 && !isChecking.value && <p class="empty">{texts.none}</p>}
      {list && list.length > 0 && (
        <table class="plain-rows" aria-label={screens.venues}>
          <thead>
            <tr>
              <th scope="col">{texts.name}</th>
              <th scope="col">{texts.status}</th>
              <th scope="col">{texts.created}</th>
            </tr>
          </thead>
          <tbody>
            {list.map(({ id, name, status, createdAt }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" class="open" onClick={() => navigate(`${root}/${id}`)}>
                    {name}
                  </button>
                  <small>{id}</small>
                </th>
                <td class={status === 'active' ? 'good' : 'error'}>
                  {texts.statuses[status]}
                  {failing.value && (
                    <small class="error">
                      {texts.failed}: {failedOf(id)}
                    </small>
                  )}
                </td>
                <td>{formatTime(createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more && !failing.value && (
        <button type="button" class="quiet" onClick={more}>
          {settings.more}
        </button>
      )}
      {isMaking.value && (
        <NewVenue
          onClose={() => {
            isMaking.value = false
            void reload()
          }}
        />
      )}
      {opened !== '' && (
        <VenueSheet
          key={opened}
          id={opened}
          onClose={() => {
            navigate(root)
            void reload()
          }}
        />
      )}
    </>
  )
}
