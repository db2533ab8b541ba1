import type { Session } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { nameDevice } from '../../app/device.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { signOut } from '../../app/sign-in/sign-out.ts'
import { usePages } from '../../ui/paged.ts'
import { PlainRows } from '../../ui/plain-rows.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'

/** An operator in support is named, a person by the device. */
const nameOf = ({ userAgent, support }: Session) =>
  support ? t().support.by(support.name) : nameDevice(userAgent) || t().settings.unknownDevice

/** The sessions that the person may see. */
export function Sessions() {
  const { settings: texts } = t()
  const { items, reload, more } = usePages((cursor) => api().sessions.list(cursor === undefined ? {} : { cursor }), '')
  const end = async ({ id, current }: Session) => {
    try {
      if (current) return await signOut()
      await api().sessions.delete(id)
      showStatus(texts.ended)
      await reload()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <PlainRows
      name={texts.sessions}
      head={[texts.device, texts.started, texts.lastUsed, '']}
      items={items.value}
      keyOf={({ id }) => id}
      more={more}
    >
      {(session) => (
        <>
          <th scope="row" title={session.userAgent}>
            {nameOf(session)}
            {session.support && (
              <small>
                {session.support.reason} · {session.support.operator} ·{' '}
                {t().support.until(formatTime(session.expiresAt))}
              </small>
            )}
            {session.current && <small>{texts.current}</small>}
          </th>
          <td data-label={texts.started}>{formatTime(session.createdAt)}</td>
          <td data-label={texts.lastUsed}>{formatTime(session.lastUsedAt)}</td>
          <td class="end">
            <button type="button" title={texts.endOf(nameOf(session))} onClick={() => end(session)}>
              {texts.end}
            </button>
          </td>
        </>
      )}
    </PlainRows>
  )
}
