import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { navigate, path } from '../../app/router.ts'
import { saveFile } from '../../app/save-file.ts'
import { hasScope } from '../../app/session.ts'
import { SearchField } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { isNarrow } from '../../ui/media.ts'
import { RowWindow } from '../../ui/row-window.tsx'
import { showAlert } from '../../ui/toasts.tsx'
import { ChipDialog } from './chip-dialog.tsx'
import { MakeDialog } from './make-dialog.tsx'
import { PrintBar } from './print-bar.tsx'
import { TableEditor } from './table-editor.tsx'
import {
  allTables,
  area,
  areas,
  chosen,
  getPicturePath,
  load,
  search,
  selected,
  shown,
  state,
  type Table,
} from './table-store.ts'

const root = '/tables'
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

/** The tables by area, with their codes. */
export default function Tables() {
  const { tables: texts, screens, shell } = t()
  const isMaking = useSignal(false)
  const chip = useSignal<Table | undefined>(undefined)
  useEffect(() => void load(), [])
  const opened = path.value.slice(root.length + 1)
  const list = shown.value
  const mayWrite = hasScope('tags:write')
  const areAllSelected = list.length > 0 && list.every(({ tag }) => selected.value.has(tag.id))
  const toggle = (id: string) => {
    const next = new Set(selected.value)
    if (!next.delete(id)) next.add(id)
    selected.value = next
  }
  const cells = (table: Table) => {
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
        <td>
          <button type="button" class="open" onClick={() => navigate(`${root}/${tag.id}`)}>
            {label}
          </button>
          {isNarrow.value && name !== '' && <small>{name}</small>}
        </td>
        {!isNarrow.value && <td class="soft">{name}</td>}
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
          {mayWrite && picture && (
            <button
              type="button"
              class="quiet square"
              aria-label={texts.chip(label)}
              onClick={() => (chip.value = table)}
            >
              <Icon name="chip" />
            </button>
          )}
        </td>
      </>
    )
  }
  return (
    <>
      <div class="tools">
        <SearchField
          label={texts.search}
          value={search.value}
          onInput={(text) => {
            search.value = text
          }}
        />
        {areas.value.length > 0 && (
          <select
            aria-label={texts.area}
            value={area.value ?? ''}
            onChange={({ currentTarget: { value } }) => {
              area.value = value === '' ? undefined : value
            }}
          >
            <option value="">{texts.allAreas}</option>
            {areas.value.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        <p class="count" role="status">
          {state.value !== 'loading' && texts.shown(state.value === 'ready' ? list.length : `${list.length}+`)}
        </p>
        {mayWrite && (
          <button type="button" class="primary" data-shortcut="create" onClick={() => (isMaking.value = true)}>
            <Icon name="plus" />
            {texts.make}
          </button>
        )}
      </div>
      {state.value === 'loading' && <p class="empty">{shell.loading}</p>}
      {state.value === 'failed' && list.length === 0 && (
        <p class="empty">
          <button type="button" class="quiet" onClick={load}>
            {shell.retry}
          </button>
        </p>
      )}
      {state.value === 'ready' && list.length === 0 && (
        <div class="empty">
          <p class="strong">{allTables.value.length > 0 ? texts.notFound : texts.none}</p>
          {allTables.value.length === 0 && <p>{texts.noneHint}</p>}
        </div>
      )}
      {list.length > 0 && (
        <RowWindow
          name={screens.tables}
          count={list.length}
          isPartial={false}
          rowRem={isNarrow.value ? 4.5 : 3.5}
          keyOf={(index) => list[index]?.tag.id ?? ''}
          onNearEnd={() => undefined}
          head={
            <>
              <th scope="col" class="tick">
                <label>
                  <input
                    type="checkbox"
                    aria-label={texts.selectAll}
                    checked={areAllSelected}
                    onChange={() => {
                      selected.value = new Set(areAllSelected ? [] : list.map(({ tag }) => tag.id))
                    }}
                  />
                </label>
              </th>
              <th scope="col">{texts.label}</th>
              {!isNarrow.value && <th scope="col">{texts.area}</th>}
              <td class="actions" />
            </>
          }
          renderRow={(index) => {
            const table = list[index]
            return table && cells(table)
          }}
        />
      )}
      {chosen.value.length > 0 && <PrintBar />}
      {isMaking.value && <MakeDialog onClose={() => (isMaking.value = false)} />}
      {chip.value && <ChipDialog table={chip.value} onClose={() => (chip.value = undefined)} />}
      {opened !== '' && <TableEditor key={opened} id={opened} onClose={() => navigate(root)} />}
    </>
  )
}
