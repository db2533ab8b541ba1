import { splitCurrency } from '../../values/currencies.ts'
import { normalizeHeading } from '../normalize-heading.ts'
import { commonWords, couponWords } from './coupon-words.ts'

type CouponField = keyof typeof couponWords | keyof typeof commonWords

const isField = (name: string): name is CouponField =>
  Object.hasOwn(couponWords, name) || Object.hasOwn(commonWords, name)

/** Fields by their words. The first field of a word wins. */
function indexWords(
  words: Readonly<Partial<Record<CouponField, string | readonly string[]>>>,
): ReadonlyMap<string, CouponField> {
  const byWord = new Map<string, CouponField>()
  for (const field of Object.keys(words).filter(isField)) {
    for (const line of [words[field] ?? []].flat()) {
      for (const word of line.split(',')) {
        const key = normalizeHeading(word)
        if (key !== '' && !byWord.has(key)) byWord.set(key, field)
      }
    }
  }
  return byWord
}

let indexes: Readonly<Record<'certain' | 'common', ReadonlyMap<string, CouponField>>> | undefined
const findIndexes = () => {
  indexes ??= { certain: indexWords(couponWords), common: indexWords(commonWords) }
  return indexes
}

/** The field of a coupon that a heading names in one of the languages. */
export function findCouponField(heading: string): CouponField | undefined {
  const { certain, common } = findIndexes()
  const key = normalizeHeading(heading)
  return certain.get(key) ?? common.get(key)
}

/** Whether a heading says that a table has coupons: only they have such a column. */
export const provesCoupons = (heading: string): boolean => findIndexes().certain.has(normalizeHeading(heading))

/** The field of a discount whose heading has a sign: `Discount %`, `Rabatt (€)`. */
export function readSign(heading: string, field: string): string {
  if (field !== 'value' && field !== 'amount') return field
  if (/[%％٪]/.test(heading)) return 'percent'
  const signs = heading.match(/[^\p{L}\p{N}\s()[\]_.,:/-]/gu) ?? []
  return signs.some((sign) => splitCurrency(`${sign}1`).currencies !== undefined) ? 'amount' : field
}
