import { useSignal } from '@preact/signals'
import type { AuditEntry } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { session } from '../../app/session.ts'
import { SearchField } from '../../ui/controls.tsx'
import { usePages } from '../../ui/paged.ts'

/** A complete id: a filter takes no part of one. */
const isId = (text: string) => /^[a-z]{2,5}_\w+$/.test(text)

/** The audit log, newest first. */
export function Audit() {
  const { settings: texts, shell } = t()
  const typed = useSignal('')
  const id = isId(typed.value.trim()) ? typed.value.trim() : ''
  const filter = id === '' ? {} : id.startsWith('key_') ? { key: id } : { object: id }
  const { items, more } = usePages(
    (cursor) => api().audit({ ...filter, ...(cursor === undefined ? {} : { cursor }) }),
    id,
  )
  const nameActor = ({ key }: AuditEntry) => {
    if (key === (session.value?.user?.id ?? session.value?.key)) return texts.you
    if (key === 'operator') return texts.operator
    return key === 'system' ? texts.system : key
  }
  return (
    <>
      <div class="tools">
        <SearchField
          label={texts.filterObject}
          value={typed.value}
          onInput={(text) => {
            typed.value = text
          }}
        />
      </div>
      {!items.value && <p class="hint">{shell.loading}</p>}
      {items.value?.length === 0 && <p class="hint">{texts.noEntries}</p>}
      {items.value && items.value.length > 0 && (
        <table class="plain-rows" aria-label={texts.audit}>
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              <th scope="col">{texts.who}</th>
              <th scope="col">{texts.what}</th>
              <th scope="col">{texts.object}</th>
            </tr>
          </thead>
          <tbody>
            {items.value.map((entry) => (
              <tr key={entry.id}>
                <td>{formatTime(entry.at)}</td>
                <td>{nameActor(entry)}</td>
                <td>{entry.operation}</td>
                <td class="id">{entry.object}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more && (
        <button type="button" class="quiet" onClick={more}>
          {texts.more}
        </button>
      )}
    </>
  )
}
