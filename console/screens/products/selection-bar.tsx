import { useSignal } from '@preact/signals'
import { currencySymbol, formatPrice, parseAmount, roundPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { Choice, Field } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { selected, selectedRows, updateMany } from './product-store.ts'

/** Hides or shows the selected products, and offers to take it back. */
async function setVisible(visible: boolean): Promise<void> {
  const { product: texts } = t()
  const chosen = selectedRows().filter(({ item }) => item.visible !== visible)
  const change = (isVisible: boolean) =>
    updateMany(chosen.map(({ item }) => ({ id: item.id, fields: { visible: isVisible } })))
  try {
    const { length } = await change(visible)
    const text = visible ? texts.shownAgain : texts.hidden
    showStatus(text(length, chosen[0]?.item.title ?? ''), () => {
      change(!visible).then(() => showStatus(t().object.undone), showError)
    })
  } catch (error) {
    showError(error)
  }
}

/** Changes the prices of the selected products by an amount or by percent, with a preview. */
function PriceChange({ onClose }: { onClose: () => void }) {
  const { product: texts, action, issue } = t()
  const by = useSignal<'percent' | 'amount'>('percent')
  const typed = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const value = parseAmount(typed.value)
  const next = (price: number) =>
    Math.max(0, roundPrice(by.value === 'percent' ? price * (1 + (value ?? 0) / 100) : price + (value ?? 0)))
  const chosen = selectedRows()
  const apply = async () => {
    if (value === undefined) {
      error.value = issue.notANumber
      return
    }
    const before = chosen.map(({ item }) => ({ id: item.id, fields: { price: item.price } }))
    try {
      const { length } = await updateMany(
        chosen.map(({ item }) => ({ id: item.id, fields: { price: next(item.price) } })),
      )
      onClose()
      showStatus(texts.pricesSaved(length), () => {
        updateMany(before).then(() => showStatus(t().object.undone), showError)
      })
    } catch (failure) {
      showError(failure)
    }
  }
  return (
    <Dialog
      title={texts.changePrices}
      onClose={onClose}
      footer={
        <>
          <button type="button" class="quiet" onClick={onClose}>
            {action.cancel}
          </button>
          <button type="button" class="primary" onClick={apply}>
            {texts.apply}
          </button>
        </>
      }
    >
      <Choice
        legend={texts.by}
        value={by.value}
        options={[
          ['percent', texts.percent],
          ['amount', texts.amount],
        ]}
        onChange={(kind) => {
          by.value = kind
        }}
      />
      <Field
        label={texts.changeValue}
        value={typed.value}
        unit={by.value === 'percent' ? '%' : currencySymbol()}
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
    </Dialog>
  )
}

/** What can be done with the selected products. */
export function SelectionBar() {
  const { product: texts, action } = t()
  const isChanging = useSignal(false)
  if (!hasScope('products:write')) return null
  const count = texts.selected(selected.value.size)
  return (
    <section class="selection" aria-label={count}>
      <span class="strong">{count}</span>
      <button type="button" onClick={() => setVisible(false)}>
        {texts.hide}
      </button>
      <button type="button" onClick={() => setVisible(true)}>
        {texts.show}
      </button>
      <button type="button" onClick={() => (isChanging.value = true)}>
        {texts.changePrices}
      </button>
      <button type="button" class="quiet" onClick={() => (selected.value = new Set())}>
        {action.clear}
      </button>
      {isChanging.value && <PriceChange onClose={() => (isChanging.value = false)} />}
    </section>
  )
}
