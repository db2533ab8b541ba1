import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { FailedRequest } from '../../../../packages/client/src/client.ts'
import { api } from '../../../app/api.ts'
import { formatNumber, formatTime } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { PlainRows } from '../../../ui/plain-rows.tsx'
import { showError } from '../../../ui/toasts.tsx'

/** The path below the merchant: all paths begin with the merchant. */
const shorten = (path: string) => path.replace(/^\/merchants\/:merchantId(?=\/)/, '')

/** The requests of a key that the service rejected in the last days. */
export function FailedRequests({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const { settings: texts } = t()
  const items = useSignal<readonly FailedRequest[] | undefined>(undefined)
  useEffect(() => {
    api()
      .failedRequests({ key: id })
      .then(
        (found) => {
          items.value = found
        },
        (error) => {
          onClose()
          showError(error)
        },
      )
  }, [id])
  return (
    <Dialog title={texts.failuresTitle(title)} kind="sheet" onClose={onClose}>
      <p class="hint">{texts.failuresHint}</p>
      <PlainRows
        name={texts.failures}
        head={[texts.request, texts.problem, texts.times]}
        items={items.value}
        keyOf={(item) => JSON.stringify([item.method, item.path, item.status, item.code, item.pointers])}
        more={undefined}
        none={texts.noFailures}
      >
        {({ method, path, status, code, pointers, count, lastAt }) => (
          <>
            <th scope="row" class="id">
              {method} {shorten(path)}
            </th>
            <td class="id">
              {status} {code}
              {pointers.length > 0 && <small>{pointers.join(', ')}</small>}
            </td>
            <td class="end">
              {formatNumber(count)} ×<small>{formatTime(lastAt)}</small>
            </td>
          </>
        )}
      </PlainRows>
    </Dialog>
  )
}
