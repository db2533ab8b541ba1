import { soldByReadings } from '../items/file-item.ts'
import { readBoolean } from '../values/booleans.ts'
import { firstText, type TableRecord } from './group-rows.ts'
import type { Choices, Question, TablePlan } from './plan.ts'

/** Words for the units of a price by weight. Those of volumes are the contents of a glass as often. */
const weights = new Map<string, 'kg' | '100g'>([
  ...(
    ['kg', 'kilo', 'kilogram', 'kilogramm', 'kilogramme', 'kilogramo', 'chilogrammo', 'кг', '公斤', '千克'] as const
  ).map((word) => [word, 'kg'] as const),
  ...(['100g', '100gr', '100гр', '100г'] as const).map((word) => [word, '100g'] as const),
])

/** The unit of a price by weight, such as `kg`, `pro kg` or `1 kg`. Undefined for other units, and for amounts. */
export const readWeightUnit = (text: string): 'kg' | '100g' | undefined =>
  weights.get(
    text
      .toLowerCase()
      .replace(/^(?:(?:per|pro|par|por|al|je|\/)\s?|1\s?(?=\p{L}))/u, '')
      .replace(/[\s.]/g, ''),
  )

/** Meaning of the price of a row: that of a piece, that of a weight or volume, or none, because it is entered with each sale. */
export function readPriceKind(record: TableRecord): {
  kind: 'piece' | 'weight' | 'open'
  unit?: 'kg' | '100g' | undefined
} {
  const unit = readWeightUnit(firstText(record, 'priceUnit'))
  const text = firstText(record, 'priceKind')
  if (text === '') return { kind: unit === undefined ? 'piece' : 'weight', unit }
  if (/^variable$/i.test(text)) return { kind: 'open' }
  return /^per unit$/i.test(text) || readBoolean(text) === true ? { kind: 'weight', unit } : { kind: 'piece' }
}

/** Asks what amount the price of products by weight or volume is for, unless the file says so or it is chosen. */
export function askSoldBy(
  { columns }: TablePlan,
  records: readonly TableRecord[],
  chosen: Choices['soldBy'],
): readonly Question[] {
  const column = columns.find(({ to }) => to === 'priceKind')
  if (!column || chosen !== undefined) return []
  const open = records.filter((record) => {
    const { kind, unit } = readPriceKind(record)
    return kind === 'weight' && unit === undefined
  })
  const samples = open.slice(0, 3).map((record) => firstText(record, 'title'))
  return open.length > 0 ? [{ code: 'sold_by', column: column.name, samples, choices: soldByReadings }] : []
}
