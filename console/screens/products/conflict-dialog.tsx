import { formatPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { Conflict } from './product-store.ts'

/** A value as a person reads it. */
function show(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return t().conflict.empty
  if (field === 'price') return formatPrice(Number(value))
  if (typeof value === 'boolean') return value ? '✓' : '–'
  return Array.isArray(value) ? String(value.length) : String(value)
}

/** Shows both versions of the fields that the person changed, and what else is different now. */
export function ConflictDialog({ mine, theirs, decide }: Conflict) {
  const { conflict, product } = t()
  const names = new Map<string, unknown>(
    Object.entries({
      ...product,
      stockQuantity: product.stock,
      images: product.pictures,
      useCustomTaxRate: product.customTax,
    }),
  )
  const nameOf = (field: string) => String(names.get(field) ?? field)
  const fields = new Map<string, unknown>(Object.entries(theirs.product))
  return (
    <Dialog
      kind="alert"
      title={conflict.title}
      onClose={() => decide('theirs')}
      footer={
        <>
          <button type="button" class="quiet" onClick={() => decide('theirs')}>
            {conflict.useTheirs}
          </button>
          <button type="button" class="primary" onClick={() => decide('mine')}>
            {conflict.keepMine}
          </button>
        </>
      }
    >
      <p>{conflict.intro(theirs.product.title)}</p>
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">{conflict.field}</th>
            <th scope="col">{conflict.mine}</th>
            <th scope="col">{conflict.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(mine).map(([field, value]) => (
            <tr key={field}>
              <th scope="row">{nameOf(field)}</th>
              <td>{show(field, value)}</td>
              <td>{show(field, fields.get(field))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
