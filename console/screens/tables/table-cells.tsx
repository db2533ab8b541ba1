import { t } from '../../app/language.ts'
import { navigate } from '../../app/router.ts'
import { saveFile } from '../../app/save-file.ts'
import { hasScope } from '../../app/session.ts'
import { Icon } from '../../ui/icons.tsx'
import { showAlert } from '../../ui/toasts.tsx'
import { isQuiet, scanDays, weekScans } from './table-scans.ts'
import { getPicturePath, selected, type Table } from './table-store.ts'

/** Pixels of a downloaded picture. */
const downloadSize = 1024

async function savePicture(url: string, name: string) {
  try {
    const response = await fetch(url)
    if (response.ok) saveFile(await response.blob(), name)
    else showAlert(t().problem.unavailable)
  } catch {
    showAlert(t().problem.offline)
  }
}

const toggle = (id: string) => {
  const next = new Set(selected.value)
  if (!next.delete(id)) next.add(id)
  selected.value = next
}

interface Props {
  table: Table
  /** Path of the screen. */
  root: string
  /** Asks for a chip for the table. */
  onChip: (table: Table) => void
}

/** The cells of a table in the list. */
export function TableCells({ table, root, onChip }: Props) {
  const { tables: texts } = t()
  const { tag, label, area: name } = table
  const picture = getPicturePath(tag)
  return (
    <>
      <td class="tick">
        <label>
          <input
            type="checkbox"
            aria-label={texts.select(label)}
            checked={selected.value.has(tag.id)}
            onChange={() => toggle(tag.id)}
          />
        </label>
      </td>
      <td class="object">
        <button type="button" class="open" onClick={() => navigate(`${root}/${tag.id}`)}>
          {label}
        </button>
        {name !== '' && <small class="narrow-only">{name}</small>}
        {isQuiet(tag) && <small class="quiet-table">{texts.quiet(scanDays.quiet)}</small>}
      </td>
      <td class="soft wide-only">{name}</td>
      <td class="number scans">{weekScans.value && (weekScans.value.get(tag.id) ?? 0)}</td>
      <td class="actions">
        {picture && (
          <a
            class="button quiet square"
            href={`${picture}?size=${downloadSize}`}
            download={`${label}.png`}
            onClick={(event) => {
              event.preventDefault()
              void savePicture(event.currentTarget.href, `${label}.png`)
            }}
            aria-label={texts.download(label)}
          >
            <Icon name="download" />
          </a>
        )}
        {hasScope('tags:write') && picture && (
          <button type="button" class="quiet square" aria-label={texts.chip(label)} onClick={() => onChip(table)}>
            <Icon name="chip" />
          </button>
        )}
      </td>
    </>
  )
}
