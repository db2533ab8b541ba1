import type { Notices } from '../../items/file-item.ts'
import { splitCurrency } from '../../values/currencies.ts'
import { readNumber } from '../../values/numbers.ts'
import { firstText, type TableRecord } from '../group-rows.ts'
import { normalizeHeading } from '../normalize-heading.ts'
import type { FileNumbers } from '../number-format.ts'
import type { TablePlan } from '../plan.ts'

/** Words that begin a row of totals, in the languages of the pages. */
const words = [
  'total,totals,grand total,subtotal,sum,Summe,Gesamt,Gesamtsumme,Zwischensumme,total général,somme,sous-total,suma,total general,totale,somma,soma',
  'totaal,subtotaal,som,razem,celkem,součet,i alt,ialt,summa,totalt,yhteensä,összesen,σύνολο,toplam,genel toplam,итого,всего,сумма,разом,всього',
  'المجموع,الإجمالي,סה"כ,סך הכל,รวม,รวมทั้งหมด,合計,総計,小計,합계,총계,总计,合计,小计,總計,合計,小計',
]
let known: ReadonlySet<string> | undefined
const isTotal = (title: string) => {
  known ??= new Set(words.flatMap((line) => line.split(',').map(normalizeHeading)))
  return title !== '' && known.has(normalizeHeading(title))
}

/** Leaves out rows with the total of the rows above: the last row of a table, or one whose price is the sum of those before. */
export function removeTotals(
  { resource, preset }: TablePlan,
  records: readonly TableRecord[],
  { format }: FileNumbers,
  notices: Notices,
): readonly TableRecord[] {
  if (resource !== 'products' || preset !== undefined) return records
  const priceOf = (record: TableRecord) => {
    const reading = readNumber(splitCurrency(firstText(record, 'price')).number)
    return reading?.kind === 'one' ? reading.value : reading?.[format ?? 'point']
  }
  let [all, sinceTotal] = [0, 0]
  return records.filter((record, index) => {
    const title = firstText(record, 'title')
    const price = priceOf(record)
    const isSum = (sum: number) => price !== undefined && sum > 0 && Math.abs(price - sum) < 0.005
    if (index > 0 && isTotal(title) && (index === records.length - 1 || isSum(all) || isSum(sinceTotal))) {
      notices.add('total_left_out', `row ${record.row}, "${title}", is a total and left out`)
      sinceTotal = 0
      return false
    }
    all += price ?? 0
    sinceTotal += price ?? 0
    return true
  })
}
