import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError, type Merchant, type Move } from '../../../packages/client/src/client.ts'
import { operatorApi } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { isAdmin } from '../../app/session.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'

/** Pause between two reads of a running move, in milliseconds. */
const pollMs = 2_000

/** The database of a venue, and its move to another one. */
export function VenueMove({ venue }: { venue: Merchant }) {
  const { venues: texts } = t()
  const move = useSignal<Move | undefined>(undefined)
  const isAsking = useSignal(false)
  const { merchants } = operatorApi()
  const isRunning = move.value !== undefined && move.value.endedAt === undefined
  const load = () =>
    merchants.retrieveMove(venue.id).then(
      (found) => {
        move.value = found
      },
      (error) => {
        if (!(error instanceof ApiError && error.status === 404)) showError(error)
      },
    )
  useEffect(() => void load(), [])
  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(load, pollMs)
    return () => clearTimeout(timer)
  }, [move.value])
  const done = move.value?.state === 'done' ? move.value.home : undefined
  const home = done ?? venue.home ?? 'd1'
  const target = home === 'd1' ? 'object' : 'd1'
  const start = async () => {
    isAsking.value = false
    try {
      move.value = await merchants.move(venue.id, { home: target })
    } catch (error) {
      showError(error)
    }
  }
  return (
    <section class="group" aria-label={texts.database}>
      <h3>{texts.database}</h3>
      <p>
        {texts.homes[home]}
        {move.value && (
          <span role="status">
            {' '}
            · {texts.moves[move.value.state]} ({formatTime(move.value.endedAt ?? move.value.startedAt)})
          </span>
        )}
      </p>
      {isAdmin() && (
        <p>
          <button type="button" disabled={isRunning} onClick={() => (isAsking.value = true)}>
            {texts.move(texts.homes[target])}
          </button>
        </p>
      )}
      {isAsking.value && (
        <Confirm
          title={`${texts.move(texts.homes[target])}?`}
          text={texts.moveText}
          confirm={texts.startMove}
          onConfirm={start}
          onCancel={() => (isAsking.value = false)}
        />
      )}
    </section>
  )
}
