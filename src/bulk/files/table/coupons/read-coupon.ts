import { type Clock, createClock } from '../../../../platform/lib/opening-hours.ts'
import { splitElements } from '../../../csv/cells.ts'
import { limitNames, limitsPrefix } from '../../../csv/columns.ts'
import type { RowIssue } from '../../../import/rows/file-row.ts'
import type { FileItem } from '../../items/file-item.ts'
import { readBoolean } from '../../values/booleans.ts'
import { splitCurrency } from '../../values/currencies.ts'
import { type FileDate, readDate } from '../../values/dates.ts'
import { readNumber, withoutPercent } from '../../values/numbers.ts'
import { firstText, type TableRecord } from '../group-rows.ts'
import { ProductReader, type TableContext } from '../product-reader.ts'
import type { DiscountType } from '../targets.ts'
import type { CouponFormats } from './decide-coupons.ts'

interface CouponContext extends TableContext {
  formats: CouponFormats
  /** Time zone of the venue. */
  timeZone: string
}

/** Discounts that no coupon here can have. */
const otherDiscount = /shipping|delivery|versand|livraison|variable|fixed_product|buy|bogo|gift|store.?credit|^app\b/i
const percentWords =
  /[%％٪]|percent|prozent|pourcent|porcent|percentu|procent|prosent|százalék|ποσοστ|yüzde|процент|відсот|نسبة|مئوي|אחוז|เปอร์เซ็นต์|パーセント|率|퍼센트|비율|百分/iu
const fixedWords = new RegExp(
  [
    'fix|amount|fest|betrag|montant|fij[oa]|importe|fiss[oa]|importo|valor|vast|bedrag|kwot|stał|pevn|částk|beløb|belopp|kiinte|summa',
    'összeg|σταθερ|ποσό|sabit|tutar|фикс|фікс|сумм?а|ثابت|مبلغ|קבוע|סכום|คงที่|จำนวนเงิน|定額|固定|金額|정액|고정|금액|金额',
  ].join('|'),
  'iu',
)
/** Cells of a condition that says nothing. */
const noCondition = /^(?:0|-|–|none|all|any|any one|everyone|all customers|all products|alle|\[\]|0\.0+)$/i

const issueOf = (record: TableRecord, target: string, code: string, message: string): RowIssue => {
  const [cell] = record.cells.get(target) ?? []
  return cell ? { column: cell.heading, code, message, value: cell.text } : { pointer: `/${target}`, code, message }
}

/** The type that a cell names. Undefined if the row has none. */
function readType(reader: ProductReader, record: TableRecord): DiscountType | undefined {
  const text = firstText(record, 'type')
  if (text === '') return undefined
  if (!otherDiscount.test(text)) {
    if (percentWords.test(text)) return 'percent'
    if (fixedWords.test(text)) return 'amount'
  }
  reader.issues.push(issueOf(record, 'type', 'invalid_value', 'must be a percentage or a fixed amount'))
  return undefined
}

/** Whether a cell has a zero, such as `0,00 €`. */
function isZero(text: string): boolean {
  const reading = readNumber(withoutPercent(splitCurrency(text).number))
  return reading?.kind === 'one' && reading.value === 0
}

/** The discount of a row: the column that is filled, as its type, its sign or the choice for the file says. */
function readDiscount(reader: ProductReader, record: TableRecord, chosen: DiscountType | undefined) {
  const before = reader.issues.length
  const type = readType(reader, record)
  const filled = (['percent', 'amount', 'value'] as const).filter((target) => {
    const text = firstText(record, target)
    return text !== '' && (target === 'value' || !isZero(text))
  })
  const target = type && filled.includes(type) ? type : filled[0]
  if (target === undefined || reader.issues.length > before) return {}
  if (type === undefined && filled.includes('percent') && filled.includes('amount')) {
    reader.issues.push(issueOf(record, 'amount', 'conflict', 'has a percentage and an amount; only one can count'))
    return {}
  }
  const text = firstText(record, target)
  const signed = /[%％٪]/.test(text) ? 'percent' : splitCurrency(text).currencies ? 'amount' : undefined
  const meant = type ?? signed ?? (target === 'value' ? chosen : target)
  const read = reader.amount(record, target)
  const value = typeof read === 'number' ? Math.abs(read) : read
  if (meant === 'percent' && typeof value === 'number' && value > 0 && value < 1) {
    const message = `can be read as ${value} % or as ${value * 100} %; write the percentage with its sign`
    if (signed === undefined) reader.issues.push(issueOf(record, target, 'ambiguous', message))
  }
  return { type: meant && (meant === 'percent' ? 'PERCENTAGE' : 'FIXED'), value }
}

/** The second of a local time. */
function toUtc(clock: Clock, local: number): number {
  const guess = local - (clock(local) - local)
  return guess - (clock(guess) - local)
}

/** The second at which a coupon begins or ends. A last day belongs to the period. */
function toSeconds(clock: Clock, { dayMs, timeMs, offsetMs }: FileDate, isLastDay: boolean): number {
  const ms = dayMs + (timeMs ?? (isLastDay ? 86_400_000 : 0))
  return offsetMs === undefined ? toUtc(clock, ms / 1_000) : (ms - offsetMs) / 1_000
}

function readTime(reader: ProductReader, record: TableRecord, name: 'startsAt' | 'endsAt', context: CouponContext) {
  const target = `${limitsPrefix}${name}`
  const text = firstText(record, target)
  if (text === '') return undefined
  const reading = readDate(text)
  if (!reading) {
    reader.issues.push(issueOf(record, target, 'invalid_format', 'must be a date such as 2026-12-31'))
    return undefined
  }
  // WooCommerce ends a coupon when its day begins.
  const isLastDay = name === 'endsAt' && context.plan.preset !== 'woocommerce_coupons'
  const date = reading.kind === 'one' ? reading.date : reading.dates[context.formats.dateFormat ?? 'day_first']
  return toSeconds(createClock(context.timeZone), date, isLastDay)
}

/** A limit of a count or an amount. Like in other systems, 0 means no limit. */
const readCount = (reader: ProductReader, record: TableRecord, target: string): unknown => {
  const value = reader.amount(record, target)
  return value === 0 ? undefined : value
}

const counted: readonly string[] = ['maxRedemptions', 'maxRedemptionsPerCustomer', 'maxDiscount']
const flags: readonly string[] = ['codesOnly', 'automatic']
const lists: readonly string[] = ['days', 'orderTypes']

function readLimits(
  reader: ProductReader,
  record: TableRecord,
  context: CouponContext,
): Readonly<Record<string, unknown>> {
  const isOnce = reader.flag(record.cells.get('oncePerCustomer')) === true
  const read = (name: string): unknown => {
    const target = `${limitsPrefix}${name}`
    if (name === 'startsAt' || name === 'endsAt') return readTime(reader, record, name, context)
    if (counted.includes(name)) return readCount(reader, record, target)
    if (flags.includes(name)) return reader.flag(record.cells.get(target))
    const text = firstText(record, target)
    if (text === '') return undefined
    return lists.includes(name) ? splitElements(text) : text
  }
  const limits = limitNames.flatMap((name) => {
    const value = read(name) ?? (name === 'maxRedemptionsPerCustomer' && isOnce ? 1 : undefined)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(limits)
}

/** Issues of conditions that a coupon here cannot have: without them, it would be worth more. */
function listConditions(record: TableRecord): RowIssue[] {
  const message = 'is a condition that coupons cannot have here; leave the column out to import the coupon without it'
  const conditions = (record.cells.get('condition') ?? []).filter(
    ({ text }) => !noCondition.test(text.trim()) && readBoolean(text) !== false,
  )
  const kinds = (record.cells.get('kind') ?? []).filter(({ text }) => otherDiscount.test(text))
  return [...conditions, ...kinds].map(({ heading, text }) => ({
    column: heading,
    code: 'invalid_value',
    message,
    value: text,
  }))
}

/** Whether a coupon is used alone: other systems say with what it can be combined. */
function readIndividualUse(reader: ProductReader, record: TableRecord): boolean | undefined {
  const own = reader.flag(record.cells.get('individualUse'))
  const combines = reader.context.plan.columns.some(({ to }) => to === 'combines')
  return (
    own ?? (combines ? !(record.cells.get('combines') ?? []).some(({ text }) => readBoolean(text) === true) : undefined)
  )
}

/** Reads a row as a coupon. */
export function readCoupon(context: CouponContext, record: TableRecord): FileItem {
  const reader = new ProductReader(context)
  const { type, value } = readDiscount(reader, record, context.formats.discountType)
  const code = reader.code(record, 'code')
  const products = firstText(record, 'products')
  const body: Record<string, unknown> = {
    title: reader.text(record.cells.get('title'))?.trim() ?? code,
    code,
    type,
    value,
    description: reader.text(record.cells.get('description')),
    active: reader.flag(record.cells.get('active')),
    minimumOrderAmount: readCount(reader, record, 'minimumOrderAmount'),
    individualUse: readIndividualUse(reader, record),
    timesRedeemed: reader.amount(record, 'timesRedeemed'),
    applyToAllProducts: reader.flag(record.cells.get('applyToAllProducts')),
    products: products === '' ? undefined : splitElements(products),
  }
  const limits = readLimits(reader, record, context)
  const [id, externalId, key] = [firstText(record, 'id'), firstText(record, 'externalId'), firstText(record, 'key')]
  const isOwn = id.startsWith('coup_')
  const system = context.plan.preset?.split('_')[0]
  const foreign = key !== '' && system !== undefined ? `${system}:${key}` : isOwn ? '' : id
  return {
    resource: 'coupons',
    row: record.row,
    id: isOwn ? id : undefined,
    externalId: externalId || foreign || undefined,
    body: Object.fromEntries(Object.entries(body).filter(([, field]) => field !== undefined)),
    details: Object.keys(limits).length > 0 ? limits : undefined,
    sections: [],
    modifierTitles: [],
    modifierKeys: [],
    issues: [...(record.issue ? [record.issue] : []), ...listConditions(record), ...reader.issues],
  }
}
