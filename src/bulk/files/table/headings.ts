import { provesCoupons } from './coupons/coupon-headings.ts'
import { type HeadingField, headingWords } from './heading-words.ts'
import { normalizeHeading } from './normalize-heading.ts'

/** Number of rows in which the headings are searched. Above them, price lists have a title, an address or a date. */
export const headingRows = 20

let fields: ReadonlyMap<string, ReadonlySet<HeadingField>> | undefined

/** The fields that each known word heads. Made when first needed. */
function fieldsByWord(): ReadonlyMap<string, ReadonlySet<HeadingField>> {
  if (fields) return fields
  const byWord = new Map<string, Set<HeadingField>>()
  for (const field of listFields()) {
    const { [field]: lines } = headingWords
    for (const word of lines.flatMap((line) => line.split(','))) {
      const key = normalizeHeading(word)
      byWord.set(key, (byWord.get(key) ?? new Set()).add(field))
    }
  }
  fields = byWord
  return byWord
}

const isHeadingField = (name: string): name is HeadingField => Object.hasOwn(headingWords, name)
const listFields = (): HeadingField[] => Object.keys(headingWords).filter(isHeadingField)

/** The name of the objects before the name of a field: `product_sku`. */
const objectPrefix = /^\s*(?:product|item|article|artikel|produkt)[_ -]+/i

/** The field of `allowed` that a heading names in one of the languages. */
export function findField(heading: string, allowed: ReadonlySet<string>): HeadingField | undefined {
  const find = (text: string) =>
    [...(fieldsByWord().get(normalizeHeading(text)) ?? [])].find((field) => allowed.has(field))
  const found = find(heading) ?? (objectPrefix.test(heading) ? find(heading.replace(objectPrefix, '')) : undefined)
  if (found !== undefined) return found
  // The first of several columns, such as "Bezeichnung 1". Prices and sizes may all be meant; of pictures, all are.
  const [, name = '', number] = /^(.*\D)(\d)$/.exec(heading.trim()) ?? []
  const field = number === undefined ? undefined : find(name)
  return field === 'images' || (number === '1' && field !== 'price' && field !== 'size') ? field : undefined
}

/** Words for prices that are parts of longer ones: `Preisebene`, `Grundpreis`. */
export const priceParts =
  /^(?:price|preis|precio|prezzo|preço|prijs|hinta)|(?:price|preis|precio|prezzo|preço|prijs|hinta)$/

/** Whether a heading has a word for a field among others: `Original Price`, `price_final`. */
export const mentionsField = (heading: string, field: HeadingField): boolean =>
  heading
    .split(/[^\p{L}\p{N}]+/u)
    .some(
      (word) =>
        word !== '' &&
        (findField(word, new Set([field])) !== undefined || (field === 'price' && priceParts.test(word.toLowerCase()))),
    )

/** Number of headings that are known. */
export const countKnownHeadings = (header: readonly string[]): number =>
  header.filter((heading) => fieldsByWord().has(normalizeHeading(heading)) || provesCoupons(heading)).length
