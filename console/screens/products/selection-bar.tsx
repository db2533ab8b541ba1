import { useSignal } from '@preact/signals'
import { currencySymbol, formatPrice, parseAmount, roundPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { Choice, Field } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { rows, selected, updateMany } from './product-store.ts'

const selectedRows = () => rows.value.filter(({ product }) => selected.value.has(product.id))

/** Hides or shows the selected products, and offers to take it back. */
async function setVisible(visible: boolean): Promise<void> {
  const { product: texts } = t()
  const chosen = selectedRows().filter(({ product }) => product.visible !== visible)
  const change = (isVisible: boolean) =>
    updateMany(chosen.map(({ product }) => ({ id: product.id, fields: { visible: isVisible } })))
  try {
    const { length } = await change(visible)
    const text = visible ? texts.shownAgain : texts.hidden
    showStatus(text(length, chosen[0]?.product.title ?? ''), () => {
      change(!visible).then(() => showStatus(texts.undone), showError)
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
    const before = chosen.map(({ product }) => ({ id: product.id, fields: { price: product.price } }))
    try {
      const { length } = await updateMany(
        chosen.map(({ product }) => ({ id: product.id, fields: { price: next(product.price) } })),
      )
      onClose()
      showStatus(texts.pricesSaved(length), () => {
        updateMany(before).then(() => showStatus(texts.undone), showError)
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
          {chosen.slice(0, 100).map(({ product }) => (
            <tr key={product.id}>
              <th scope="row">{product.title}</th>
              <td class="number">{formatPrice(product.price)}</td>
              <td class="number">{formatPrice(next(product.price))}</td>
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
  return (
    <section class="selection" aria-label={texts.selected(selected.value.size)}>
      <span class="strong">{texts.selected(selected.value.size)}</span>
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
