import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Product } from '../../../packages/client/src/client.ts'
import { currencySymbol, explainPrice, formatAmount, formatPrice, parsePrice } from '../../app/format.ts'
import { isDrafted } from '../../app/frame/prepared.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { hasScope } from '../../app/session.ts'
import type { Row } from '../../objects/change.ts'
import { TitleCell } from '../../objects/object-screen.tsx'
import { describeSoldOut, soldOut } from '../../objects/stock/sold-out.ts'
import { Switch } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { clearAlerts, showAlert, showError, showStatus } from '../../ui/toasts.tsx'
import { selected, store } from './product-store.ts'
import { formatRange, sizePricesOf } from './size-prices.ts'

/** Changes the price, and offers to undo it. */
export async function savePrice(row: Row<Product>, price: number): Promise<void> {
  const { title, price: before } = row.item
  const saved = await store.update(row, { price })
  if (!saved.isMine) return
  const undo = () => savePrice(saved.row, before).catch(showError)
  const describe = isDrafted() ? t().release.willCost : t().product.priceSaved
  showStatus(describe(title, formatPrice(saved.row.item.price)), undo)
}

/** Says that products are visible or hidden, or will be. */
export function describeVisible(visible: boolean, count: number, title: string): string {
  const { product: texts, release } = t()
  if (isDrafted()) return (visible ? release.willShow : release.willHide)(count, title)
  return (visible ? texts.shownAgain : texts.hidden)(count, title)
}

async function setVisible(row: Row<Product>, visible: boolean): Promise<void> {
  try {
    const saved = await store.update(row, { visible })
    if (!saved.isMine) return
    showStatus(describeVisible(visible, 1, row.item.title), () => void setVisible(saved.row, !visible))
  } catch (error) {
    showError(error)
  }
}

/** The price as a field. Enter or leaving the field saves it, Escape restores it. */
function PriceField({ row }: { row: Row<Product> }) {
  const { product: texts } = t()
  const { title, price } = row.item
  const typed = useSignal<string | undefined>(undefined)
  const isInvalid = useSignal(false)
  /** The text that is being saved. A dialog also takes the focus from the field, which must not save the text twice. */
  const pending = useRef<string | undefined>(undefined)
  const restore = () => {
    typed.value = undefined
    if (isInvalid.value) clearAlerts()
    isInvalid.value = false
  }
  const save = async () => {
    const { value: text } = typed
    if (text === undefined || text === pending.current) return
    const next = parsePrice(text)
    if (next === price) return restore()
    if (next === undefined) {
      isInvalid.value = true
      showAlert(`${texts.priceOf(title)}: ${explainPrice(text)}`)
      return
    }
    pending.current = text
    try {
      await savePrice(row, next)
      // Text that was typed since belongs to the next save.
      if (typed.value === text) typed.value = undefined
      isInvalid.value = false
    } catch (error) {
      isInvalid.value = true
      const found = readFieldErrors(error).get('price')
      if (found === undefined) showError(error)
      else showAlert(`${texts.priceOf(title)}: ${found}`)
    }
    pending.current = undefined
  }
  return (
    <span class="price">
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        aria-label={texts.priceOf(title)}
        aria-invalid={isInvalid.value ? true : undefined}
        value={typed.value ?? formatAmount(price)}
        onInput={(event) => {
          typed.value = event.currentTarget.value
        }}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save()
          if (event.key === 'Escape') restore()
        }}
      />
      <span aria-hidden="true">{currencySymbol()}</span>
    </span>
  )
}

function toggle(id: string, isOn: boolean) {
  const next = new Set(selected.value)
  if (isOn) next.add(id)
  else next.delete(id)
  selected.value = next
}

/** The cells of a product in the list. */
export function ProductCells({ row, onOpen }: { row: Row<Product>; onOpen: () => void }) {
  const { product: texts } = t()
  const { id, title, sku, images, visible, price } = row.item
  const [picture] = images
  const mayWrite = hasScope('products:write')
  const sizes = sizePricesOf(id)
  return (
    <>
      <td class="tick">
        <label>
          <input
            type="checkbox"
            aria-label={texts.select(title)}
            checked={selected.value.has(id)}
            onChange={(event) => toggle(id, event.currentTarget.checked)}
          />
        </label>
      </td>
      <TitleCell
        title={title}
        detail={
          <>
            {[!visible && texts.notVisible, describeSoldOut(id)].filter(Boolean).join(' · ')}
            {sku && (
              <span class="wide-only">
                {visible && !soldOut.value.has(id) ? '' : ' · '}
                {sku}
              </span>
            )}
          </>
        }
        isSoft={!visible}
        onOpen={onOpen}
      >
        {picture ? (
          <img src={picture.url} alt="" width="40" height="40" loading="lazy" decoding="async" />
        ) : (
          <span class="no-picture">
            <Icon name="picture" />
          </span>
        )}
      </TitleCell>
      <td class="number">
        {sizes && mayWrite ? (
          <button type="button" class="quiet" aria-label={texts.sizesOf(title, formatRange(sizes))} onClick={onOpen}>
            {formatRange(sizes)}
          </button>
        ) : mayWrite ? (
          <PriceField row={row} />
        ) : (
          ((sizes && formatRange(sizes)) ?? formatPrice(price))
        )}
      </td>
      <td class="toggle">
        <Switch
          name={texts.visibleOf(title)}
          isOn={visible}
          disabled={!mayWrite}
          onChange={(isOn) => void setVisible(row, isOn)}
        />
      </td>
    </>
  )
}
