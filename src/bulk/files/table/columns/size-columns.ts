import { isSizePrice, type PlannedColumn, sizesPrefix } from '../targets.ts'
import { readSizeHeading } from './size-words.ts'

const minSizes = 2

/** Columns of which each has the price of a size, such as `Price small` and `Price large`, unless another column has the price. */
export function takeSizeColumns(columns: readonly PlannedColumn[]): readonly PlannedColumn[] {
  const labels = columns.map(({ name, to, how }) =>
    to === null || (to === 'price' && how === 'synonym') ? readSizeHeading(name) : undefined,
  )
  const isOther = columns.some(
    ({ to }, index) => to === 'size' || isSizePrice(to) || (to === 'price' && labels[index] === undefined),
  )
  const found = new Set(labels.filter((label) => label !== undefined))
  if (isOther || found.size < minSizes) return columns
  return columns.map((column, index) => {
    const label = labels[index]
    return label === undefined ? column : { ...column, to: `${sizesPrefix}${label}`, how: 'synonym' }
  })
}
