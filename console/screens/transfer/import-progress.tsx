import { useSignal } from '@preact/signals'
import type { Import } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { showError } from '../../ui/toasts.tsx'
import { apply, cancel, faults, isRunning } from './import-store.ts'

/** How far an import is, what is wrong with its rows, and what can be done next. */
export function ImportProgress({ current }: { current: Import }) {
  const { transfer: texts } = t()
  const isBusy = useSignal(false)
  const { rows, checked, applied, failed, state, created, updated, unchanged, deleted } = current
  const usable = rows - failed
  const act = async (change: () => Promise<void>) => {
    isBusy.value = true
    try {
      await change()
    } catch (error) {
      showError(error)
    }
    isBusy.value = false
  }
  return (
    <div class="group">
      <progress
        aria-label={texts.progress}
        max={Math.max(1, state === 'checking' ? rows : usable)}
        value={state === 'checking' ? checked : state === 'ready' || state === 'failed' ? 0 : applied}
      />
      <p aria-live="polite">
        <span class="strong">{texts.states[state]}</span> {state === 'ready' && texts.usable(usable, rows)}
        {(state === 'done' || state === 'cancelled') && texts.counts(created, updated, unchanged)}
        {deleted > 0 && ` ${texts.deleted(deleted)}`}
      </p>
      <div class="buttons">
        {state === 'ready' && (
          <button type="button" class="primary" disabled={usable === 0 || isBusy.value} onClick={() => act(apply)}>
            {texts.apply}
          </button>
        )}
        {(state === 'ready' || isRunning(current)) && (
          <button type="button" class="quiet" onClick={() => act(cancel)}>
            {texts.cancel}
          </button>
        )}
      </div>
      {faults.value.length > 0 && (
        <table class="plain-rows" aria-label={texts.faults}>
          <thead>
            <tr>
              <th scope="col" class="number">
                {texts.row}
              </th>
              <th scope="col">{texts.column}</th>
              <th scope="col">{texts.value}</th>
              <th scope="col">{texts.problem}</th>
            </tr>
          </thead>
          <tbody>
            {faults.value.map(({ row, column, pointer, value, message, code }) => (
              <tr key={`${row} ${column ?? pointer} ${code}`}>
                <td class="number">{row}</td>
                <td>{column ?? pointer}</td>
                <td class="id">{value}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
