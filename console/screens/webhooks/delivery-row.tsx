import type { Delivery } from '../../../packages/client/src/client.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'

function Attempts({ delivery }: { delivery: Delivery }) {
  const { webhooks: texts } = t()
  return (
    <details>
      <summary>{texts.attempts(delivery.attempts.length)}</summary>
      {delivery.attempts.map(({ number, at, status, durationMs, error, response }) => (
        <div key={number} class="group">
          <p>
            <span class="strong">{texts.attempt(number)}</span> · {formatTime(at)} · {status ?? error} ·{' '}
            {texts.milliseconds(durationMs)}
          </p>
          {response ? <pre>{response}</pre> : <p class="hint">{texts.noBody}</p>}
        </div>
      ))}
    </details>
  )
}

interface Props {
  delivery: Delivery
  /** Whether the endpoint is active. */
  isActive: boolean
  /** Absent: the person may not send it again. */
  onRetry: (() => void) | undefined
}

/** A delivery with its attempts. */
export function DeliveryRow({ delivery, isActive, onRetry }: Props) {
  const { webhooks: texts } = t()
  return (
    <tr>
      <th scope="row">
        {delivery.type}
        <small>{formatTime(delivery.createdAt)}</small>
      </th>
      <td>
        <span class={delivery.state === 'failed' ? 'error' : 'soft'}>{texts.states[delivery.state]}</span>
        {delivery.nextAttemptAt !== undefined && delivery.attempts.length > 0 && (
          <small>{texts.nextAttempt(formatTime(delivery.nextAttemptAt))}</small>
        )}
      </td>
      <td class="end">
        {onRetry && (
          <button type="button" disabled={!isActive} onClick={onRetry}>
            {texts.retry}
          </button>
        )}
      </td>
      <td class="full">
        <Attempts delivery={delivery} />
      </td>
    </tr>
  )
}
