import { limits } from '../../../platform/http/fields.ts'
import type { RowIssue } from '../../import/rows/file-row.ts'
import type { Notices } from '../items/file-item.ts'
import { fromMinorUnits } from '../values/amounts.ts'
import { readBoolean } from '../values/booleans.ts'
import { removeNoise } from '../values/numbers.ts'
import { isPictureAddress, readPictures } from '../values/pictures.ts'
import type { Cell, TableRecord } from './group-rows.ts'
import { findField } from './headings.ts'
import { type FileNumbers, mayBeFraction } from './number-format.ts'
import type { Choices, TablePlan } from './plan.ts'
import { type FileCurrency, readAmount, readCode, readOtherCurrency, readPlainText } from './read-cell.ts'
import { isMoney } from './targets.ts'

export interface TableContext {
  plan: TablePlan
  numbers: FileNumbers
  currency: FileCurrency
  notices: Notices
  soldBy?: Choices['soldBy']
}

/** Names of the only variant of a product without sizes. */
export const noSize = new Set(['', 'regular', 'default', 'default title'])
const shownWords = new Set(
  'active,visible,published,publish,taxable,available,shopify,enabled,scheduled,future,catalog,search'.split(','),
)
/** Words for what is not shown, and for what is no longer valid, in the languages of the pages. */
const hiddenWords = new Set(
  [
    'not visible individually,draft,archived,hidden,unavailable,private,none,inactive,unlisted,disabled,expired,pending,trash,-1,inaktiv,abgelaufen,entwurf,deaktiviert,versteckt',
    'inactif,expiré,désactivé,inactivo,caducado,vencido,desactivado,inattivo,scaduto,disattivato,inativo,expirado,desativado,inactief,verlopen,nieaktywny,wygasły',
    'neaktivní,vypršel,udløbet,inaktiverad,utgången,ei aktiivinen,vanhentunut,inaktív,lejárt,ανενεργό,έληξε,pasif,süresi dolmuş,неактивен,неактивный,истек,неактивний,закінчився',
    'غير نشط,منتهي,לא פעיל,פג תוקף,ไม่ใช้งาน,หมดอายุ,無効,非公開,期限切れ,비활성,만료,사용 안 함,停用,禁用,未启用,已过期,未啟用,已過期',
  ].flatMap((line) => line.split(',')),
)
const visibleField = new Set(['visible'])

/** A flag: a boolean, or a word of a shop system. */
function readFlag(text: string, preset: string | undefined): boolean | undefined {
  const lower = text.trim().toLowerCase()
  // Magento writes 2 for a product that is not online.
  if (preset === 'magento' && (lower === '2' || lower === 'catalog, search')) return lower !== '2'
  if (shownWords.has(lower)) return true
  if (hiddenWords.has(lower)) return false
  return readBoolean(text) ?? (findField(lower, visibleField) ? true : undefined)
}

/** Reads the cells of a product and collects their issues. */
export class ProductReader {
  readonly issues: RowIssue[] = []
  readonly context: TableContext

  constructor(context: TableContext) {
    this.context = context
  }

  amount(record: TableRecord, to: string): unknown {
    const [cell] = record.cells.get(to) ?? []
    if (!cell) return undefined
    const { numbers, currency } = this.context
    const [code] = isMoney(to) ? (record.cells.get('currency') ?? []) : []
    const { value, issue } =
      (code && readOtherCurrency(code.heading, code.text, currency)) ??
      readAmount(cell.heading, to, cell.text, numbers, currency)
    if (issue) this.issues.push(issue)
    if (numbers.areCents === true && isMoney(to) && typeof value === 'number')
      return fromMinorUnits(value, currency.currency)
    const isFraction = to === 'taxRate' && numbers.areFractions === true && mayBeFraction(cell.text)
    return isFraction && typeof value === 'number' ? removeNoise(value * 100) : value
  }

  code(record: TableRecord, ...targets: string[]): string | undefined {
    const cell = targets.flatMap((to) => record.cells.get(to) ?? [])[0]
    if (!cell) return undefined
    const { value, issue } = readCode(cell.heading, cell.text)
    if (issue) this.issues.push(issue)
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  text(cells: readonly Cell[] | undefined): string | undefined {
    const [cell] = cells ?? []
    if (!cell) return undefined
    const { text, wasHtml } = readPlainText(cell.text)
    if (wasHtml) this.context.notices.add('html_removed', 'HTML became text', cell.heading)
    return text.trim() === '' ? undefined : text
  }

  /** A flag that all cells must set. */
  flag(cells: readonly Cell[] | undefined): boolean | undefined {
    let all: boolean | undefined
    for (const { heading, text } of cells ?? []) {
      const value = readFlag(text, this.context.plan.preset)
      if (value === undefined)
        this.issues.push({ column: heading, code: 'invalid_type', message: 'must be yes or no', value: text })
      else all = (all ?? true) && value
    }
    return all
  }

  pictures(rows: readonly TableRecord[]): { url: string }[] {
    const cells = rows.flatMap((row) => row.cells.get('images') ?? [])
    const all = [...new Set(cells.flatMap(({ text }) => readPictures(text)))]
    const addresses = all.filter(isPictureAddress)
    const leave = (what: string) => this.context.notices.add('part_left_out', what, cells[0]?.heading)
    if (addresses.length < all.length) leave('names of pictures without an address')
    if (addresses.length > limits.images) leave(`a product has at most ${limits.images} pictures`)
    return addresses.slice(0, limits.images).map((url) => ({ url }))
  }
}
