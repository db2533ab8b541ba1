import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ServiceState } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { useChanges } from '../../app/frame/pulse.ts'
import { t } from '../../app/language.ts'
import { hasScope, isSupport } from '../../app/session.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'

/** Whether the venue takes orders; undefined while it is unknown. */
export const service = signal<ServiceState | undefined>(undefined)
/** A request that changes the pause is under way. A read that began before it may be older. */
const isChanging = signal(false)

async function load(): Promise<void> {
  const found = await api().service.get()
  if (!isChanging.value) service.value = found
}

/** Reads the state, again after changes of others: they pause the venue too. */
export function useService(): void {
  const read = () => void load().catch(showError)
  useEffect(read, [])
  useChanges(['service'], read)
}

async function change(send: () => Promise<ServiceState>): Promise<void> {
  isChanging.value = true
  try {
    service.value = await send()
    showStatus(describeService(service.value))
  } catch (error) {
    showError(error)
  } finally {
    isChanging.value = false
  }
}

/** The state in words: orders are taken, or paused until a time. */
export function describeService({ paused, until }: ServiceState): string {
  const { today: texts } = t()
  if (!paused) return texts.takesOrders
  return until === undefined ? texts.paused : texts.pausedUntil(formatTime(until))
}

/** Buttons that pause the venue in one tap, and end the pause in one. Nothing without the right to do so. */
export function PauseButtons({ state }: { state: ServiceState }) {
  const { today: texts } = t()
  if (!hasScope('stock:write') || isSupport()) return null
  const disabled = isChanging.value
  const pause = (until?: 'tomorrow') => void change(() => api().service.pause(until))
  return state.paused ? (
    <button type="button" class="primary" disabled={disabled} onClick={() => void change(() => api().service.resume())}>
      {texts.resume}
    </button>
  ) : (
    <>
      <button type="button" disabled={disabled} onClick={() => pause()}>
        {texts.pause}
      </button>{' '}
      <button type="button" class="quiet" disabled={disabled} onClick={() => pause('tomorrow')}>
        {texts.pauseUntilTomorrow}
      </button>
    </>
  )
}

/** A note that the venue is paused, with the button that ends the pause. Nothing while it takes orders. */
export function PauseNote() {
  useService()
  const state = service.value
  if (!state?.paused) return null
  return (
    <p class="hint" role="status">
      <span class="strong">{describeService(state)}</span> <PauseButtons state={state} />
    </p>
  )
}
