import type { FileItem, FileSize } from '../../items/file-item.ts'
import type { TableRecord } from '../group-rows.ts'
import type { ProductReader } from '../product-reader.ts'
import { isSizePrice, sizesPrefix } from '../targets.ts'

/** Cells that say that a product does not have a size. */
const isAbsent = (text: string) => /^(?:[-–—./x\s]*|n\/?a)$/i.test(text)

/**
 * The sizes whose prices are in columns of their own, or in one cell. If the product has only that of the first column, and it is no amount such as
 * `0.3 l`, its price is that of the product: further columns are for products with several sizes.
 */
export function readSizeColumns(
  reader: ProductReader,
  head: TableRecord,
): { sizes?: FileItem['sizes']; price?: unknown } {
  const options = [...head.cells].flatMap(([to, [cell]]): FileSize[] => {
    if (!isSizePrice(to) || !cell || isAbsent(cell.text)) return []
    return [{ label: to.slice(sizesPrefix.length, sizesPrefix.length + 250), price: reader.amount(head, to) }]
  })
  const [only, another] = options
  if (!only) return {}
  const usual = reader.context.plan.columns.find(({ to }) => isSizePrice(to))
  const isUsual = !another && usual?.to === `${sizesPrefix}${only.label}` && !/\d/.test(only.label)
  return isUsual ? { price: only.price } : { sizes: { title: 'Size', options } }
}
