import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { waitingTaps } from '../../objects/stock/sold-out.ts'
import { dropTap, isOld, sendTaps } from './waiting-taps.ts'

/** The taps that are not sent yet. Asks about those that were made long ago. */
export function WaitingNote({ onSent }: { onSent: () => void }) {
  const { soldOut: texts } = t()
  const old = waitingTaps.value.filter(isOld)
  const discard = () => {
    for (const { id } of old) dropTap(id)
    onSent()
  }
  const recent = waitingTaps.value.length - old.length
  return (
    <>
      {recent > 0 && <p role="status">{texts.waiting(recent)}</p>}
      {old.length > 0 && (
        <section class="group" aria-label={texts.askOld}>
          <p class="strong">{texts.askOld}</p>
          <ul class="entries">
            {old.map(({ id, title, soldOut, at }) => (
              <li key={id}>
                {title}: {soldOut ? texts.setOut : texts.setBack} <small>{formatTime(at / 1000)}</small>
              </li>
            ))}
          </ul>
          <div class="buttons">
            <button type="button" class="primary" onClick={() => void sendTaps(isOld).then(onSent)}>
              {texts.sendNow}
            </button>
            <button type="button" class="quiet" onClick={discard}>
              {t().object.discard}
            </button>
          </div>
        </section>
      )}
    </>
  )
}
