import { splitCurrency } from '../../values/currencies.ts'
import { readNumber } from '../../values/numbers.ts'
import { isSizeLabel } from '../columns/size-words.ts'
import type { Cell, TableRecord } from '../group-rows.ts'
import type { TablePlan } from '../plan.ts'
import { sizesPrefix } from '../targets.ts'

/** Maximum number of characters of a cell with the prices of sizes. */
const maxUnits = 200
/** A price with its currency, and no contents such as `0,3 l`. */
const price = String.raw`(?:[A-Z]{0,3}\p{Sc}\s?)?\d{1,6}(?:[.,]\d{1,3})?(?![\d.,]|\s?(?:ml|cl|dl|l|oz|g|kg|cm|%)\b)(?:\s?(?:\p{Sc}|[A-Z]{3}\b))?`
const afterPrice = new RegExp(String.raw`^(${price})\s*[-–]?\s*\(?([^()]{1,60}?)\)?$`, 'u')
const beforePrice = new RegExp(String.raw`^\(?([^()]{1,60}?)\)?[\s:=–-]+(${price})$`, 'u')
/** Prices with their sizes in brackets, one after the other: `$11.99 (Half) $18.99 (Full)`. */
const inBrackets = new RegExp(String.raw`${price}\s*\([^()]{1,60}\)`, 'gu')

const isPrice = (text: string) => readNumber(splitCurrency(text).number) !== undefined

/** The size and its price in a text such as `$11.99 (Half)`, `Small: 3.50` or `0,3 l 3,20`. */
function readPair(text: string): { label: string; text: string } | undefined {
  for (const [form, at] of [
    [beforePrice, 1],
    [afterPrice, 2],
  ] as const) {
    const match = form.exec(text)
    const label = match?.[at]?.trim() ?? ''
    const amount = match?.[3 - at]?.trim() ?? ''
    if (/\p{L}|″|"/u.test(label) && isPrice(amount)) return { label, text: amount }
  }
  return undefined
}

/** The sizes and prices in one cell. Undefined unless each price has a size of its own. */
function readPairs(cell: string): readonly { label: string; text: string }[] | undefined {
  const text = cell.trim()
  if (text.length > maxUnits || isPrice(text)) return undefined
  const bracketed = text.replace(inBrackets, '').replace(/[\s,/|;]+/g, '') === '' ? text.match(inBrackets) : null
  const pairs = (bracketed ?? text.split(/[/|;\n]|,\s/)).map((part) => readPair(part.trim()))
  const found = pairs.filter((pair) => pair !== undefined)
  const labels = new Set(found.map(({ label }) => label))
  if (found.length === 0 || found.length < pairs.length || labels.size < found.length) return undefined
  // Of one price, a remark such as "(incl. VAT)" is no size.
  return found.length > 1 || found.every(({ label }) => isSizeLabel(label)) ? found : undefined
}

/** Rows whose price names sizes, such as `S 7.50 / L 9.50`, with a price of each size. A single one is that of a row with this size. */
export function splitLabelled(
  { resource, preset }: TablePlan,
  records: readonly TableRecord[],
): readonly TableRecord[] {
  if (resource !== 'products' || preset !== undefined) return records
  return records.map((record) => {
    const [cell, another] = record.cells.get('price') ?? []
    const pairs = cell && !another && !record.cells.has('size') ? readPairs(cell.text) : undefined
    const [only, second] = pairs ?? []
    if (!cell || !pairs || !only) return record
    const toCell = (text: string): Cell[] => [{ heading: cell.heading, text }]
    const others = [...record.cells].filter(([to]) => to !== 'price')
    const priced = second
      ? pairs.map(({ label, text }) => [`${sizesPrefix}${label}`, toCell(text)] as const)
      : [['price', toCell(only.text)] as const, ['size', toCell(only.label)] as const]
    return { ...record, cells: new Map([...others, ...priced]) }
  })
}
