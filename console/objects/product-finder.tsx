import type { Product } from '../../packages/client/src/client.ts'
import { api } from '../app/api.ts'
import { formatPrice } from '../app/format.ts'
import { t } from '../app/language.ts'
import { Finder, matchesRead, takeClosest } from '../ui/search/finder.tsx'

/** Sizes of products are in their details. */
const include: ['details'] = ['details']
/** Maximum number of products that are offered at once. */
const maxOffered = 8

/** A field that offers the products that match the typed text. */
export const ProductFinder = (props: {
  onPick: (product: Product) => void
  onClose?: () => void
  autofocus?: boolean
}) => (
  <Finder
    {...props}
    label={t().finder.find}
    find={async (q, signal) => {
      const query = { include, ...(q === '' ? { limit: maxOffered } : { limit: matchesRead, q }) }
      const { items } = await api().products.list(query, { signal }).page()
      return takeClosest(items, ({ title }) => title, q, maxOffered)
    }}
    describe={({ id, title, price }) => ({ key: id, title, detail: formatPrice(price) })}
  />
)
