import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Delivery } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { usePages } from '../../ui/paged.ts'
import { Select } from '../../ui/select.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { DeliveryRow } from './delivery-row.tsx'

const states = ['pending', 'delivered', 'failed', 'cancelled'] as const
/** Pause between two reads of pending deliveries, in milliseconds. */
const refreshMs = 2_000
/** Maximum time until the next attempt for which the list waits, in seconds. */
const soonSeconds = 60
const periods = { hour: 3_600, day: 86_400, week: 604_800, month: 2_591_000 } as const

const isUnderWay = ({ state, nextAttemptAt = 0 }: Delivery) =>
  state === 'pending' && nextAttemptAt < Date.now() / 1000 + soonSeconds

/** The deliveries to an endpoint, with its responses. `onSettled` is called when no delivery is pending any longer. */
export function Deliveries({ id, isActive, onSettled }: { id: string; isActive: boolean; onSettled: () => void }) {
  const { webhooks: texts, settings, shell } = t()
  const state = useSignal<Delivery['state'] | ''>('')
  const period = useSignal<keyof typeof periods>('day')
  const filter = state.value === '' ? {} : { state: state.value }
  const { items, reload, more } = usePages(
    (cursor) => api().webhooks.deliveries(id, { limit: 20, ...filter, ...(cursor === undefined ? {} : { cursor }) }),
    state.value,
  )
  const list = items.value
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (!list) return
    const isRunning = list.some(isUnderWay)
    if (!wasUnderWay.current && !isRunning) return
    wasUnderWay.current = isRunning
    // The service deactivates an endpoint shortly after the delivery has failed.
    const timer = setTimeout(isRunning ? reload : onSettled, refreshMs)
    return () => clearTimeout(timer)
  }, [list])
  const act = async (send: () => Promise<string>) => {
    try {
      showStatus(await send())
      wasUnderWay.current = true
      await reload()
    } catch (error) {
      showError(error)
      onSettled()
    }
  }
  const { webhooks } = api()
  const mayWrite = hasScope('webhooks:write')
  const since = () => Math.floor(Date.now() / 1000) - periods[period.value]
  return (
    <section class="group" aria-label={texts.deliveries}>
      <h3>{texts.deliveries}</h3>
      <div class="buttons">
        <Select
          label={texts.onlyState}
          value={state.value}
          options={[['', texts.anyState], ...states.map((name) => [name, texts.states[name]] as const)]}
          onChange={(value) => {
            state.value = value
          }}
        />
        {mayWrite && (
          <>
            <button
              type="button"
              disabled={!isActive}
              onClick={() => act(() => webhooks.test(id).then(() => texts.tested))}
            >
              {texts.test}
            </button>
            <span class="space" />
            <Select
              label={texts.since}
              value={period.value}
              options={(['hour', 'day', 'week', 'month'] as const).map((name) => [name, texts[name]] as const)}
              onChange={(value) => {
                period.value = value
              }}
            />
            <button
              type="button"
              disabled={!isActive}
              onClick={() =>
                act(() => webhooks.recover(id, since()).then(({ recovered }) => texts.recovered(recovered)))
              }
            >
              {texts.recover}
            </button>
          </>
        )}
      </div>
      {!isActive && <p class="hint">{texts.offHint}</p>}
      {!list && <p class="hint">{shell.loading}</p>}
      {list?.length === 0 && <p class="hint">{texts.noDeliveries}</p>}
      {list && list.length > 0 && (
        <table class="plain-rows deliveries" aria-label={texts.deliveries}>
          <thead>
            <tr>
              <th scope="col">{texts.event}</th>
              <th scope="col">{texts.onlyState}</th>
              <td />
              <td class="full" />
            </tr>
          </thead>
          <tbody>
            {list.map((delivery) => (
              <DeliveryRow
                key={delivery.eventId}
                delivery={delivery}
                isActive={isActive}
                onRetry={
                  mayWrite ? () => act(() => webhooks.retry(id, delivery.eventId).then(() => texts.retried)) : undefined
                }
              />
            ))}
          </tbody>
        </table>
      )}
      {more && (
        <button type="button" class="quiet" onClick={more}>
          {settings.more}
        </button>
      )}
    </section>
  )
}
