import { useSignal } from '@preact/signals'
import type { Product, ProductUpdate } from '../../../packages/client/src/client.ts'
import { currencySymbol, formatPrice, parseAmount, parsePrice, roundPrice } from '../../app/format.ts'
import { isDrafted } from '../../app/frame/prepared.ts'
import { t } from '../../app/language.ts'
import { describeError } from '../../app/problems.ts'
import { hasScope } from '../../app/session.ts'
import type { Row } from '../../objects/change.ts'
import { offerUndo, type SetKind } from '../../objects/history/undo.ts'
import { Choice, Field } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { showAlert, showError, showStatus } from '../../ui/toasts.tsx'
import { describeVisible } from './product-row.tsx'
import { type Change, deselect, selected, selectedRows, store, type UpdateResult, updateMany } from './product-store.ts'
import { findChangedSizes, formatRange, mapPrices, sizePricesOf } from './size-prices.ts'

/** Shows how many products were changed or skipped, and why the rest failed. */
function report({ done, leftAlone, error }: UpdateResult, text: string, undo?: () => void) {
  const failures = [
    ...(leftAlone > 0 ? [t().product.leftAlone(leftAlone)] : []),
    ...(error === undefined ? [] : [describeError(error)]),
  ]
  const texts = [...(done.size > 0 ? [text] : []), ...failures].join(' ')
  if (failures.length > 0) showAlert(texts, undo)
  else if (done.size > 0) showStatus(texts, undo)
}

/**
 * Changes products together, and offers to undo it. `toPrice` changes the prices of their sizes too. Returns whether all were changed. Otherwise,
 * only the unchanged ones stay selected.
 */
async function change(
  rows: readonly Row<Product>[],
  kind: SetKind,
  toFields: (product: Product) => ProductUpdate,
  describe: (count: number) => string,
  toPrice?: (price: number) => number,
): Promise<boolean> {
  const sized = toPrice ? rows.flatMap(({ item: { id } }) => (sizePricesOf(id) ? [id] : [])) : []
  let left: ReadonlySet<string>
  try {
    left = await findChangedSizes(sized)
  } catch (error) {
    showError(error)
    return false
  }
  const changes = rows.flatMap(({ item, etag }): Change[] => {
    const { id } = item
    if (left.has(id)) return []
    const before = toPrice && sizePricesOf(id)
    if (!before) return [{ id, etag, fields: toFields(item) }]
    const sizes = mapPrices(before, toPrice)
    // The price of a product with sizes is the lowest of theirs.
    return [{ id, etag, fields: { price: Math.min(...Object.values(sizes)) }, sizes }]
  })
  const updated = await updateMany(changes, kind)
  const { done, error, changeSet } = updated
  const leftAlone = updated.leftAlone + left.size
  report({ done, leftAlone, error }, describe(done.size), offerUndo(changeSet, store.load))
  const areAllDone = leftAlone === 0 && error === undefined
  // Another attempt skips changed products: a percentage must not be added twice.
  if (!areAllDone) deselect(...done.keys())
  return areAllDone
}

/** Hides or shows the selected products. */
async function setVisible(visible: boolean): Promise<void> {
  const chosen = selectedRows().filter(({ item }) => item.visible !== visible)
  const describe = (count: number) => describeVisible(visible, count, chosen[0]?.item.title ?? '')
  await change(chosen, visible ? 'shown' : 'hidden', () => ({ visible }), describe)
}

/** The price of a product or the range of its sizes, changed. */
function formatPrices({ id, price }: Product, change = (each: number) => each): string {
  const sizes = sizePricesOf(id)
  return sizes ? formatRange(mapPrices(sizes, change)) : formatPrice(change(price))
}

/** Changes the prices of the selected products by an amount or by percent, with a preview. */
function PriceChange({ onClose }: { onClose: () => void }) {
  const { product: texts, release, issue } = t()
  const by = useSignal<'percent' | 'amount'>('percent')
  const typed = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const isPercent = by.value === 'percent'
  const value = isPercent ? parseAmount(typed.value) : parsePrice(typed.value)
  const next = (price: number) =>
    Math.max(0, roundPrice(isPercent ? price * (1 + (value ?? 0) / 100) : price + (value ?? 0)))
  const chosen = selectedRows()
  const apply = async () => {
    if (value === undefined) {
      error.value = isPercent ? issue.notANumber : issue.notAPrice
      return
    }
    const describe = isDrafted() ? release.willCostMany : texts.pricesSaved
    const areAllDone = await change(chosen, 'prices', ({ price }) => ({ price: next(price) }), describe, next)
    if (areAllDone || selectedRows().length === 0) onClose()
  }
  return (
    <FormDialog title={texts.changePrices} submit={texts.apply} onSubmit={apply} onClose={onClose}>
      <Choice
        legend={texts.by}
        value={by.value}
        options={[
          ['percent', texts.percent],
          ['amount', texts.amount],
        ]}
        onChange={(kind) => {
          by.value = kind
          error.value = undefined
        }}
      />
      <Field
        label={texts.changeValue}
        value={typed.value}
        unit={isPercent ? '%' : currencySymbol()}
        error={error.value}
        input={{ inputMode: 'text' }}
        onInput={(text) => {
          typed.value = text
          error.value = undefined
        }}
      />
      <h3>{texts.preview}</h3>
      <table class="compare" aria-label={texts.preview}>
        <thead>
          <tr>
            <th scope="col">{texts.title}</th>
            <th scope="col" class="number">
              {texts.before}
            </th>
            <th scope="col" class="number">
              {texts.after}
            </th>
          </tr>
        </thead>
        <tbody>
          {chosen.slice(0, 100).map(({ item }) => (
            <tr key={item.id}>
              <th scope="row">{item.title}</th>
              <td class="number">{formatPrices(item)}</td>
              <td class="number">{formatPrices(item, next)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  )
}

/** Actions for the selected products. */
export function SelectionBar() {
  const { product: texts, action } = t()
  const isChanging = useSignal(false)
  if (!hasScope('products:write')) return null
  const { length } = selectedRows()
  const notListed = selected.value.size - length
  const count = texts.selected(length) + (notListed > 0 ? `. ${texts.notListed(notListed)}` : '')
  return (
    <section class="selection" aria-label={count}>
      <span class="strong">{count}</span>
      <button type="button" disabled={length === 0} onClick={() => setVisible(false)}>
        {texts.hide}
      </button>
      <button type="button" disabled={length === 0} onClick={() => setVisible(true)}>
        {texts.show}
      </button>
      <button type="button" disabled={length === 0} onClick={() => (isChanging.value = true)}>
        {texts.changePrices}
      </button>
      <button type="button" class="quiet" onClick={() => (selected.value = new Set())}>
        {action.clear}
      </button>
      {isChanging.value && <PriceChange onClose={() => (isChanging.value = false)} />}
    </section>
  )
}
