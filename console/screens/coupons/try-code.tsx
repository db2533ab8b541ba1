import { useSignal } from '@preact/signals'
import type { Product, Quote } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { ProductFinder } from '../../objects/product-finder.tsx'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { showError } from '../../ui/toasts.tsx'

interface Line {
  product: Product
  quantity: number
}

const setQuantity = (lines: readonly Line[], product: Product, quantity: number) =>
  lines.map((line) => (line.product.id === product.id ? { product, quantity } : line))

/** The products of a basket with their quantities. */
function Basket({ lines, onChange }: { lines: readonly Line[]; onChange: (lines: readonly Line[]) => void }) {
  const { coupons: texts, action } = t()
  if (lines.length === 0) return null
  return (
    <ul class="ordered">
      {lines.map(({ product, quantity }) => (
        <li key={product.id}>
          <span>{product.title}</span>
          <input
            type="number"
            class="quantity"
            min={1}
            max={999}
            aria-label={texts.quantityOf(product.title)}
            value={quantity}
            onInput={({ currentTarget }) =>
              onChange(setQuantity(lines, product, Math.max(1, currentTarget.valueAsNumber || 1)))
            }
          />
          <button
            type="button"
            class="quiet square"
            aria-label={action.removeOf(product.title)}
            onClick={() => onChange(lines.filter((line) => line.product.id !== product.id))}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The effect of the first code of a quote, and the price of the basket. */
function Result({ quote }: { quote: Quote }) {
  const { coupons: texts } = t()
  const [result] = quote.coupons
  if (!result) return null
  return (
    <>
      <p class="strong">
        {result.status === 'applied'
          ? texts.applied(result.code, formatPrice(result.amount))
          : texts.notApplied(result.code)}
      </p>
      {result.reasons.map((reason) => (
        <p key={reason.code}>
          {texts.reasons[reason.code]} {reason.missing !== undefined && texts.missing(formatPrice(reason.missing))}
        </p>
      ))}
      <dl class="sums">
        <dt>{texts.subtotal}</dt>
        <dd>{formatPrice(quote.subtotal)}</dd>
        <dt>{texts.discount}</dt>
        {/* `-0` would be shown with its sign. */}
        <dd>{formatPrice(0 - quote.discountTotal)}</dd>
        <dt class="strong">{texts.total}</dt>
        <dd class="strong">{formatPrice(quote.total)}</dd>
      </dl>
      {quote.issues.length > 0 && (
        <p class="hint">
          {texts.notOrderable} {quote.issues.map(({ message }) => message).join(' ')}
        </p>
      )}
    </>
  )
}

/** Prices a basket with a code. Stores nothing. */
export function TryCode() {
  const { coupons: texts, issue } = t()
  const code = useSignal('')
  const lines = useSignal<readonly Line[]>([])
  const quote = useSignal<Quote | undefined>(undefined)
  const error = useSignal<{ code?: string; basket?: string }>({})
  const submit = async (event: Event) => {
    event.preventDefault()
    error.value = {
      ...(code.value.trim() === '' ? { code: issue.required } : {}),
      ...(lines.value.length === 0 ? { basket: texts.emptyBasket } : {}),
    }
    if (Object.keys(error.value).length > 0) return
    try {
      const items = lines.value.map(({ product, quantity }) => ({ product: product.id, quantity }))
      quote.value = await api().quotes.create({ items, coupons: [code.value.trim()] })
    } catch (failure) {
      showError(failure)
    }
  }
  return (
    <form class="card try" noValidate onSubmit={submit} aria-labelledby="try-title">
      <h2 id="try-title">{texts.tryTitle}</h2>
      <Field
        label={texts.codeToTry}
        value={code.value}
        error={error.value.code}
        input={{ spellcheck: false }}
        onInput={(typed) => {
          code.value = typed
          quote.value = undefined
          error.value = {}
        }}
      />
      <div class="field">
        <span class="label">{texts.basket}</span>
        <ProductFinder
          onPick={(product) => {
            error.value = {}
            quote.value = undefined
            const known = lines.value.find((line) => line.product.id === product.id)
            lines.value = known
              ? setQuantity(lines.value, known.product, known.quantity + 1)
              : [...lines.value, { product, quantity: 1 }]
          }}
        />
        {lines.value.length === 0 && <p class="hint">{texts.basketHint}</p>}
        {error.value.basket && <p class="error">{error.value.basket}</p>}
      </div>
      <Basket
        lines={lines.value}
        onChange={(changed) => {
          quote.value = undefined
          lines.value = changed
        }}
      />
      <button type="submit">{texts.try}</button>
      <div role="status">{quote.value && <Result quote={quote.value} />}</div>
    </form>
  )
}
