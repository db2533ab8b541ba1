import { useSignal } from '@preact/signals'
import type { AuditEntry } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { describeOperation, useNames } from '../../app/operations.ts'
import { SearchField } from '../../ui/controls.tsx'
import { usePages } from '../../ui/paged.ts'
import { PlainRows } from '../../ui/plain-rows.tsx'

/** Number of entries of a page. */
const limit = 20

/** A complete id, because the filter does not accept a part of an id. */
const isId = (text: string) => /^[a-z]{2,5}_\w+$/.test(text)

function Entry({ entry, actor, title }: { entry: AuditEntry; actor: string | undefined; title: string | undefined }) {
  const { noun, verb } = describeOperation(entry, title)
  return (
    <>
      <td>{formatTime(entry.at)}</td>
      <td>{actor ?? entry.key}</td>
      <td title={entry.operation}>
        {noun} {verb}
      </td>
      <td class="id">{entry.object}</td>
    </>
  )
}

/** The audit log, newest first. */
export function Audit() {
  const { settings: texts } = t()
  const typed = useSignal('')
  const id = isId(typed.value.trim()) ? typed.value.trim() : ''
  const filter = id === '' ? {} : id.startsWith('key_') ? { key: id } : { object: id }
  const { items, more } = usePages(
    (cursor) => api().audit({ ...filter, limit, ...(cursor === undefined ? {} : { cursor }) }),
    id,
  )
  const { titleOf, actorOf } = useNames(items.value)
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
      <PlainRows
        name={texts.audit}
        head={[texts.time, texts.who, texts.what, texts.object]}
        items={items.value}
        keyOf={(entry) => entry.id}
        more={more}
        none={texts.noEntries}
      >
        {(entry) => <Entry entry={entry} actor={actorOf(entry)} title={titleOf(entry)} />}
      </PlainRows>
    </>
  )
}
