import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useChanges } from '../../app/frame/pulse.ts'
import { t } from '../../app/language.ts'
import { navigate, path } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { DeletedLink, DeletedObjects, deletedSegment } from '../../objects/history/deleted-link.tsx'
import { Check, SearchField } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { RowWindow } from '../../ui/row-window.tsx'
import { ChipDialog } from './chip-dialog.tsx'
import { MakeDialog } from './make-dialog.tsx'
import { PrintBar } from './print-bar.tsx'
import { TableCells } from './table-cells.tsx'
import { TableEditor } from './table-editor.tsx'
import { isQuiet, loadScans, scanDays } from './table-scans.ts'
import {
  allTables,
  area,
  areas,
  chosen,
  load,
  onlyQuiet,
  order,
  search,
  selected,
  shown,
  state,
  type Table,
} from './table-store.ts'

const root = '/tables'

/** The header of the list: the search, the area, the number of tables, and the button for new ones. */
function Tools({ onMake }: { onMake: () => void }) {
  const { tables: texts } = t()
  return (
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
          value={area.value}
          onChange={({ currentTarget: { value } }) => {
            area.value = value
          }}
        >
          <option value="">{texts.allAreas}</option>
          {areas.value.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {(onlyQuiet.value || allTables.value.some(({ tag }) => isQuiet(tag))) && (
        <Check
          label={texts.onlyQuiet}
          isOn={onlyQuiet.value}
          onChange={(isOn) => {
            onlyQuiet.value = isOn
          }}
        />
      )}
      <p class="count" role="status">
        {state.value !== 'loading' &&
          texts.shown(state.value === 'ready' ? shown.value.length : `${shown.value.length}+`)}
      </p>
      <DeletedLink root={root} scope="tags:write" />
      {hasScope('tags:write') && (
        <button type="button" class="primary" data-shortcut="create" onClick={onMake}>
          <Icon name="plus" />
          {texts.make}
        </button>
      )}
    </div>
  )
}

const nextOrder = { label: 'most', most: 'fewest', fewest: 'label' } as const
function sortByScans() {
  order.value = nextOrder[order.value]
}

/** The tables by area, with their codes. */
export default function Tables() {
  const { tables: texts, screens, shell } = t()
  const isMaking = useSignal(false)
  const chip = useSignal<Table | undefined>(undefined)
  useEffect(() => {
    void load()
    loadScans().catch(() => undefined)
  }, [])
  useChanges(['tags'], load)
  const opened = path.value.slice(root.length + 1)
  const list = shown.value
  const areAllSelected = list.length > 0 && list.every(({ tag }) => selected.value.has(tag.id))
  return (
    <>
      <Tools onMake={() => (isMaking.value = true)} />
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
          rowRem={{ narrow: 4.5, wide: 3.5 }}
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
              <th scope="col" class="wide-only">
                {texts.area}
              </th>
              <th
                scope="col"
                class="number scans"
                aria-sort={order.value === 'label' ? 'none' : order.value === 'most' ? 'descending' : 'ascending'}
              >
                <button type="button" class="quiet" onClick={sortByScans}>
                  {texts.scansInDays(scanDays.counted)}
                  {order.value !== 'label' && <span aria-hidden="true">{order.value === 'most' ? '↓' : '↑'}</span>}
                </button>
              </th>
              <td class="actions" />
            </>
          }
          renderRow={(index) => {
            const table = list[index]
            return table && <TableCells table={table} root={root} onChip={(asked) => (chip.value = asked)} />
          }}
        />
      )}
      <DeletedObjects root={root} scope="tags:write" onRestored={load} />
      {chosen.value.length > 0 && <PrintBar />}
      {isMaking.value && <MakeDialog onClose={() => (isMaking.value = false)} />}
      {chip.value && <ChipDialog table={chip.value} onClose={() => (chip.value = undefined)} />}
      {opened !== '' && opened !== deletedSegment && (
        <TableEditor key={opened} id={opened} onClose={() => navigate(root)} />
      )}
    </>
  )
}
