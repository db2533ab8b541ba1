import { useEffect } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { useSorting } from '../../objects/editor/sorted-rows.tsx'
import { ObjectScreen } from '../../objects/object-screen.tsx'
import { soldOut, useSoldOut } from '../../objects/stock/sold-out.ts'
import { Check } from '../../ui/controls.tsx'
import { DishEditor, prepareEditors } from '../dish-editor.tsx'
import { LabelFilter, shownLabel } from './filters/label-filter.tsx'
import { MenuFilter, shownMenu } from './filters/menu-filter.tsx'
import { ProductCells } from './product-row.tsx'
import { onlyHidden, onlySoldOut, selected, selectedRows, store } from './product-store.ts'
import { SelectionBar } from './selection-bar.tsx'

/** The list of products, and the editor of the product in the address. */
export default function Products() {
  useEffect(prepareEditors, [])
  useSoldOut()
  const { product: texts, screens } = t()
  useEffect(() => {
    if (onlySoldOut.value) void store.refresh()
  }, [soldOut.value])
  const list = store.rows.value
  const sorting = useSorting(store, { title: ({ title }) => title, price: ({ price }) => price })
  const areAllSelected = list.length > 0 && selectedRows().length === list.length
  return (
    <ObjectScreen
      root="/products"
      name={screens.products}
      scope="products:write"
      store={store}
      parts={['products']}
      texts={texts}
      rowRem={{ narrow: 5.25, wide: 3.5 }}
      arrange={sorting.arrange}
      isFiltered={onlyHidden.value || onlySoldOut.value || shownLabel.value !== '' || shownMenu.value !== ''}
      tools={
        <>
          <MenuFilter onChange={store.load} />
          <LabelFilter label={texts.byLabel} onChange={store.load} />
          <Check
            label={texts.onlyHidden}
            isOn={onlyHidden.value}
            onChange={(isOn) => {
              onlyHidden.value = isOn
              void store.load()
            }}
          />
          {hasScope('stock:read') && (
            <Check
              label={texts.onlySoldOut}
              isOn={onlySoldOut.value}
              onChange={(isOn) => {
                onlySoldOut.value = isOn
                void store.load()
              }}
            />
          )}
        </>
      }
      head={[
        <th key="tick" scope="col" class="tick">
          <label>
            <input
              type="checkbox"
              aria-label={texts.selectAll}
              checked={areAllSelected}
              onChange={() => {
                selected.value = new Set(areAllSelected ? [] : list.map(({ item }) => item.id))
              }}
            />
          </label>
        </th>,
        <th key="title" scope="col" aria-sort={sorting.stateOf('title')}>
          {sorting.button('title', texts.title)}
        </th>,
        <th key="price" scope="col" class="number" aria-sort={sorting.stateOf('price')}>
          {sorting.button('price', texts.price)}
        </th>,
        <th key="visible" scope="col" class="toggle">
          {texts.column}
        </th>,
      ]}
      cells={(row, open) => <ProductCells row={row} onOpen={open} />}
      editor={(id, close) => <DishEditor key={id} kind="ProductEditor" id={id} onClose={close} />}
    >
      {selected.value.size > 0 && <SelectionBar />}
    </ObjectScreen>
  )
}
