import { useSignal } from '@preact/signals'
import { currencySymbol, formatPrice, parseAmount, parsePrice, roundPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { Choice, Field } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { type Change, selected, selectedRows, updateMany } from './product-store.ts'

/** Makes changes, says how many there are and why the others failed, and offers to undo them. Returns whether none failed. */
async function change(changes: readonly Change[], before: readonly Change[], describe: (count: number) => string) {
  const { done, error } = await updateMany(changes)
  const undo = async () => {
    const undone = await updateMany(before.filter(({ id }) => done.has(id)))
    if (undone.error === undefined) showStatus(t().object.undone)
    else showError(undone.error)
  }
  if (done.size > 0 || error === undefined) showStatus(describe(done.size), () => void undo())
  if (error === undefined) return true
  showError(error)
  // Another attempt leaves alone what is done: a percentage must not be added twice.
  selected.value = new Set([...selected.value].filter((id) => !done.has(id)))
  return false
}

/** Hides or shows the selected products. */
async function setVisible(visible: boolean): Promise<void> {
  const { product: texts } = t()
  const chosen = selectedRows().filter(({ item }) => item.visible !== visible)
  const toChanges = (isVisible: boolean) => chosen.map(({ item }) => ({ id: item.id, fields: { visible: isVisible } }))
  const text = visible ? texts.shownAgain : texts.hidden
  await change(toChanges(visible), toChanges(!visible), (count) => text(count, chosen[0]?.item.title ?? ''))
}

/** Changes the prices of the selected products by an amount or by percent, with a preview. */
function PriceChange({ onClose }: { onClose: () => void }) {
  const { product: texts, issue } = t()
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
    const toChanges = (priceOf: (price: number) => number) =>
      chosen.map(({ item }) => ({ id: item.id, fields: { price: priceOf(item.price) } }))
    const isDone = await change(
      toChanges(next),
      toChanges((price) => price),
      texts.pricesSaved,
    )
    if (isDone) onClose()
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
              <td class="number">{formatPrice(item.price)}</td>
              <td class="number">{formatPrice(next(item.price))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  )
}

/** What can be done with the selected products. */
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
