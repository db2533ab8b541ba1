import { useSignal } from '@preact/signals'
import { formatPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { findProduct, getProductTitle, rememberProducts } from '../../objects/known-products.ts'
import { ProductFinder } from '../../objects/product-finder.tsx'
import { describeSoldOut, soldOut } from '../../objects/stock/sold-out.ts'
import { Icon } from '../../ui/icons.tsx'
import { DragHandle, MoveButtons } from '../../ui/sortable.tsx'
import { showAlert } from '../../ui/toasts.tsx'
import { itemGroup, type SectionPlan, toDragKey } from './section-plan.ts'

/** The products of a section, in order. They can be dragged into other sections. */
export function SectionItems({ plan, at }: { plan: SectionPlan; at: number }) {
  const { menus: texts, action } = t()
  const isAdding = useSignal(false)
  const section = plan.sections[at]
  if (!section) return null
  const { items, key } = section
  return (
    <>
      {items.length === 0 && (
        <p class="hint drop" data-drag-group={itemGroup} data-drag={toDragKey(key, '')}>
          {texts.noItems}
        </p>
      )}
      <ol class="ordered">
        {items.map((id, index) => {
          const product = findProduct(id)
          const title = getProductTitle(id)
          return (
            <li key={id} data-drag-group={itemGroup} data-drag={toDragKey(key, id)}>
              <DragHandle group={itemGroup} onOver={(over, isAfter) => plan.dragItem(id, over, isAfter)} />
              <span class={product?.visible === false ? 'soft' : ''}>
                <bdi>{title}</bdi>
                {product?.visible === false && <small> · {texts.isHidden}</small>}
                {soldOut.value.has(id) && <small> · {describeSoldOut(id)}</small>}
              </span>
              <span class="soft amount">{product && formatPrice(product.price)}</span>
              <MoveButtons
                index={at === 0 ? index : index + 1}
                count={at === plan.sections.length - 1 ? items.length + (at === 0 ? 0 : 1) : items.length + 2}
                names={{ up: action.up(title), down: action.down(title), remove: action.removeOf(title) }}
                onMove={(from, to) => plan.stepItem(at, index, to < from ? -1 : 1)}
                onRemove={() => plan.setItems(at, items.toSpliced(index, 1))}
              />
            </li>
          )
        })}
      </ol>
      {isAdding.value ? (
        <ProductFinder
          autofocus
          onPick={(product) => {
            rememberProducts([product])
            if (items.includes(product.id)) showAlert(texts.isThere(product.title))
            else plan.setItems(at, [...items, product.id])
          }}
          onClose={() => (isAdding.value = false)}
        />
      ) : (
        <div>
          <button type="button" onClick={() => (isAdding.value = true)}>
            <Icon name="plus" />
            {texts.addProduct}
          </button>
        </div>
      )}
    </>
  )
}
