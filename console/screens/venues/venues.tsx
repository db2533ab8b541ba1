import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { FailingWebhook } from '../../../packages/client/src/client.ts'
import { operatorApi } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { keep } from '../../app/kept.ts'
import { t } from '../../app/language.ts'
import { navigate, path } from '../../app/router.ts'
import { isAdmin } from '../../app/session.ts'
import { Check, SearchField, searchPauseMs } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { usePages } from '../../ui/paged.ts'
import { showError } from '../../ui/toasts.tsx'
import { NewVenue } from './new-venue.tsx'
import { VenueSheet } from './venue-sheet.tsx'

const root = '/venues'
let timer: ReturnType<typeof setTimeout> | undefined
const typed = keep('venues text', '')
const isFailing = keep('venues failing', false)

/** The failing webhooks of all venues. Shows each page when it arrives. A page covers up to 100 venues and may be empty. */
function Failing({ q }: { q: string }) {
  const { venues: texts, shell, today, operations } = t()
  const found = useSignal<readonly FailingWebhook[]>([])
  const isLoading = useSignal(true)
  useEffect(() => {
    const read = async () => {
      for await (const webhook of operatorApi().failingWebhooks.list({ limit: 100, ...(q && { q }) }))
        found.value = [...found.value, webhook]
    }
    read()
      .catch(showError)
      .finally(() => {
        isLoading.value = false
      })
  }, [])
  return (
    <>
      {found.value.length > 0 && (
        <table class="plain-rows" aria-label={texts.failing}>
          <thead>
            <tr>
              <th scope="col">{texts.name}</th>
              <th scope="col">{operations.resources.webhooks}</th>
              <th scope="col">{texts.failed}</th>
            </tr>
          </thead>
          <tbody>
            {found.value.map(({ id, title, mode, active, failures, failingSince, failed, merchant }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" class="open" onClick={() => navigate(`${root}/${merchant.id}`)}>
                    {merchant.name}
                  </button>
                  <small>{merchant.id}</small>
                </th>
                <td>
                  {title} {mode === 'test' && `(${texts.test})`}
                  <small class="error">
                    {active && failingSince !== undefined
                      ? texts.failures(failures, formatTime(failingSince))
                      : today.disabled}
                  </small>
                </td>
                <td class="number">{failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isLoading.value && <p class="empty">{shell.loading}</p>}
      {!isLoading.value && found.value.length === 0 && <p class="empty">{today.allWell}</p>}
    </>
  )
}

/** All venues of the service, for its operator. */
export default function Venues() {
  const { venues: texts, screens, settings, shell } = t()
  const q = useSignal(typed.value.trim())
  const isMaking = useSignal(false)
  const { items, reload, more } = usePages(
    (cursor) =>
      operatorApi().merchants.list({ ...(q.value && { q: q.value }), ...(cursor === undefined ? {} : { cursor }) }),
    q.value,
  )
  const opened = path.value.slice(root.length + 1)
  const list = items.value
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
          label={texts.failing}
          isOn={isFailing.value}
          onChange={(isOn) => {
            isFailing.value = isOn
          }}
        />
        {isAdmin() && (
          <button type="button" class="primary" data-shortcut="create" onClick={() => (isMaking.value = true)}>
            <Icon name="plus" />
            {texts.create}
          </button>
        )}
      </div>
      {isFailing.value && <Failing key={q.value} q={q.value} />}
      {!list && <p class="empty">{shell.loading}</p>}
      {list?.length === 0 && !isFailing.value && <p class="empty">{texts.none}</p>}
      {list && list.length > 0 && !isFailing.value && (
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
                <td class={status === 'active' ? 'good' : 'error'}>{texts.statuses[status]}</td>
                <td>{formatTime(createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more && !isFailing.value && (
        <button type="button" class="quiet" onClick={more}>
          {settings.more}
        </button>
      )}
      {isMaking.value && (
        <NewVenue
          onMade={(id) => {
            isMaking.value = false
            void reload()
            // The sheet contains the invitation of its owner.
            navigate(`${root}/${id}`)
          }}
          onClose={() => (isMaking.value = false)}
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
