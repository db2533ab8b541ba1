import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { navigate, path } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { Check, SearchField } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { isNarrow } from '../../ui/media.ts'
import { RowWindow } from '../../ui/row-window.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { ProductEditor } from './product-editor.tsx'
import { ProductCells } from './product-row.tsx'
import {
  conflict,
  cursor,
  isFiltered,
  load,
  loadMore,
  onlyHidden,
  rows,
  search,
  selected,
  setSearch,
  state,
} from './product-store.ts'
import { SelectionBar } from './selection-bar.tsx'

const root = '/products'

/** The list of products, and the editor of the one that the address names. */
export default function Products() {
  const { product: texts, screens, action, shell } = t()
  const opened = path.value.slice(root.length + 1)
  const isLoaded = useSignal(false)
  useEffect(() => {
    if (!isLoaded.value) void load()
    isLoaded.value = true
  }, [])
  const list = rows.value
  const isPartial = cursor.value !== undefined
  const areAllSelected = list.length > 0 && list.every(({ product }) => selected.value.has(product.id))
  return (
    <>
      <div class="tools">
        <SearchField label={texts.search} value={search.value} onInput={setSearch} />
        <Check
          label={texts.onlyHidden}
          isOn={onlyHidden.value}
          onChange={(isOn) => {
            onlyHidden.value = isOn
            void load()
          }}
        />
        <p class="count" role="status">
          {state.value === 'ready' && texts.shown(list.length, !isPartial)}
        </p>
        {hasScope('products:write') && (
          <button type="button" class="primary" data-shortcut="create" onClick={() => navigate(`${root}/new`)}>
            <Icon name="plus" />
            {texts.create}
          </button>
        )}
      </div>
      {state.value === 'loading' && <p class="empty">{shell.loading}</p>}
      {state.value === 'failed' && list.length === 0 && (
        <p class="empty">
          <button type="button" class="quiet" onClick={load}>
            {action.retry}
          </button>
        </p>
      )}
      {state.value === 'ready' && list.length === 0 && (
        <div class="empty">
          <p class="strong">{isFiltered.value ? texts.notFound : texts.none}</p>
          {!isFiltered.value && <p>{texts.noneHint}</p>}
        </div>
      )}
      {list.length > 0 && (
        <RowWindow
          name={screens.products}
          count={list.length}
          isPartial={isPartial}
          columns={4}
          rowRem={isNarrow.value ? 4.5 : 3.5}
          keyOf={(index) => list[index]?.product.id ?? ''}
          onNearEnd={loadMore}
          head={
            <>
              <th scope="col" class="tick">
                <label>
                  <input
                    type="checkbox"
                    aria-label={texts.selectAll}
                    checked={areAllSelected}
                    onChange={() => {
                      selected.value = new Set(areAllSelected ? [] : list.map(({ product }) => product.id))
                    }}
                  />
                </label>
              </th>
              <th scope="col">{texts.title}</th>
              <th scope="col" class="number">
                {texts.price}
              </th>
              <th scope="col" class="toggle">
                {texts.column}
              </th>
            </>
          }
          renderRow={(index) => {
            const row = list[index]
            return row && <ProductCells row={row} onOpen={() => navigate(`${root}/${row.product.id}`)} />
          }}
        />
      )}
      {selected.value.size > 0 && <SelectionBar />}
      {opened !== '' && (
        <ProductEditor key={opened} id={opened === 'new' ? undefined : opened} onClose={() => navigate(root)} />
      )}
      {conflict.value && <ConflictDialog {...conflict.value} />}
    </>
  )
}
