import type { Session } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { signOut } from '../../app/session.ts'
import { usePages } from '../../ui/paged.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'

const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' }
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'CrOS', 'Linux'] as const

/** Browser and system of a `User-Agent`, as far as it names known ones. */
function nameDevice(userAgent = ''): string {
  const browser = browsers.find((name) => userAgent.includes(`${name}/`))
  const found = [browser && (names[browser] ?? browser), systems.find((name) => userAgent.includes(name))]
  return found.filter(Boolean).join(', ') || t().settings.unknownDevice
}

/** The sessions that the person may see. */
export function Sessions() {
  const { settings: texts, shell } = t()
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
  if (!items.value) return <p class="hint">{shell.loading}</p>
  return (
    <>
      <table class="plain-rows" aria-label={texts.sessions}>
        <thead>
          <tr>
            <th scope="col">{texts.device}</th>
            <th scope="col">{texts.started}</th>
            <th scope="col">{texts.lastUsed}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {items.value.map((session) => (
            <tr key={session.id}>
              <th scope="row" title={session.userAgent}>
                {nameDevice(session.userAgent)}
                {session.current && <small>{texts.current}</small>}
              </th>
              <td>{formatTime(session.createdAt)}</td>
              <td>{formatTime(session.lastUsedAt)}</td>
              <td class="end">
                <button type="button" title={texts.endOf(nameDevice(session.userAgent))} onClick={() => end(session)}>
                  {texts.end}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more && (
        <button type="button" class="quiet" onClick={more}>
          {texts.more}
        </button>
      )}
    </>
  )
}
