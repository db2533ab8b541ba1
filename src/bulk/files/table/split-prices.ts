import { countKnownHeadings } from './headings.ts'

/** Number of characters at the end of a line in which its price is searched. */
const tailUnits = 40

/** A price with the sign, the code or the abbreviation of a currency, and no amount such as "0,5 l". */
const price = String.raw`\p{Sc}?\s?\d{1,5}[.,]\d\d?(?:\s?(?:\p{Sc}|[A-Z]{3}|Euro|kr|Kč|zł|Ft|lei|руб|грн)\.?)?`
/** One price, or those of several sizes: "7,50 / 9,50 €". */
const endsWithPrice = new RegExp(String.raw`[\s.…·](${price}(?:\s?[/|]\s?${price}){0,3})$`, 'u')
/** A price in the middle of a line. Amounts such as "0,25 l" have a unit. */
const innerPrice = /(?<![\d.,])\d{1,4}[.,]\d\d(?![\d.,]|\s?(?:\p{L}|%|°))/u

/** Characters between a text and its price, such as the dots of a printed menu. */
const isLeader = (character: string | undefined) => character !== undefined && /[\s.…·]/.test(character)

/** A text and the price at its end: "Espresso ..... 2,40 €". Undefined if it does not end with a price. */
function splitPrice(line: string): readonly [title: string, price: string] | undefined {
  const text = line.trim()
  const tail = text.slice(-tailUnits)
  const [found, amount = ''] = endsWithPrice.exec(tail) ?? []
  if (found === undefined) return undefined
  let end = text.length - found.length
  while (isLeader(text[end - 1])) end--
  const title = text.slice(0, end)
  // Several prices belong to several sizes: "Cola 0,3 l 3,20 0,5 l 4,20". They are no part of the title.
  const inner = innerPrice.exec(title)
  if (inner && inner.index > 0) return [title.slice(0, inner.index).trimEnd(), text.slice(inner.index)]
  return /\p{L}/u.test(title) ? [title, amount.trim()] : undefined
}

/** Fewer lines with a price are no list. */
const minPrices = 2

/** The rows of a list of one column with a price at the end of at least half of its lines, as two columns. Undefined for other tables. */
export function splitPrices(rows: readonly (readonly string[])[]): (readonly string[])[] | undefined {
  const [first = []] = rows
  if (countKnownHeadings(first) > 0) return undefined
  const isOneColumn = rows.every((cells) => cells.filter((cell) => cell.trim() !== '').length <= 1)
  if (!isOneColumn) return undefined
  const split = rows.map((cells) => splitPrice(cells.find((cell) => cell.trim() !== '') ?? ''))
  const count = split.filter((pair) => pair !== undefined).length
  return count >= minPrices && count * 2 >= rows.length ? rows.map((cells, index) => split[index] ?? cells) : undefined
}
