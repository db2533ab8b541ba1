import { countKnownHeadings } from './headings.ts'

/** Number of characters at the end of a line in which its price is searched. */
const tailUnits = 20

/** A price with the sign, the code or the abbreviation of a currency, and no amount such as "0,5 l". */
const endsWithPrice = /[\s.…·](\p{Sc}?\s?\d{1,5}[.,]\d\d?(?:\s?(?:\p{Sc}|[A-Z]{3}|Euro|kr|Kč|zł|Ft|lei|руб|грн)\.?)?)$/u

/** Characters between a text and its price, such as the dots of a printed menu. */
const isLeader = (character: string | undefined) => character !== undefined && /[\s.…·]/.test(character)

/** A text and the price at its end: "Espresso ..... 2,40 €". Undefined if it does not end with a price. */
function splitPrice(line: string): readonly [title: string, price: string] | undefined {
  const text = line.trim()
  const tail = text.slice(-tailUnits)
  const [found, price = ''] = endsWithPrice.exec(tail) ?? []
  if (found === undefined) return undefined
  let end = text.length - found.length
  while (isLeader(text[end - 1])) end--
  const title = text.slice(0, end)
  return /\p{L}/u.test(title) ? [title, price] : undefined
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
