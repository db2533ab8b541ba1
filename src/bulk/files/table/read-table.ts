import { mapPaced } from '../../import/pace.ts'
import { errorColumn } from '../../import/rows/csv-header.ts'
import { createNotices, type FileContent, type FileItem } from '../items/file-item.ts'
import type { DecimalSeparator } from '../values/numbers.ts'
import { decideAmounts } from './columns/amounts.ts'
import { decideCoupons } from './coupons/decide-coupons.ts'
import { readCoupon } from './coupons/read-coupon.ts'
import { firstText, groupRows, type TableRecord, type TableRow, toRecord } from './group-rows.ts'
import { decideNumbers, decideTaxRates } from './number-format.ts'
import type { Choices, Question, TablePlan } from './plan.ts'
import { askSoldBy } from './price-kind.ts'
import type { TableContext } from './product-reader.ts'
import { normalizePhone, readCode } from './read-cell.ts'
import { readMetadata, readTableProduct } from './read-product.ts'
import { splitLabelled } from './rows/labelled-prices.ts'
import { joinShopRows } from './rows/shop-rows.ts'
import { applyTitles, readTitleRows } from './rows/title-rows.ts'
import { removeTotals } from './rows/totals.ts'
import { isSizePrice } from './targets.ts'

/** The stored id of an object, or the id in another system. */
function readKeys(record: TableRecord, prefix: string): Pick<FileItem, 'id' | 'externalId'> {
  const [id, externalId] = [firstText(record, 'id'), firstText(record, 'externalId')]
  const isOwn = id.startsWith(prefix)
  return { id: isOwn ? id : undefined, externalId: externalId || (isOwn ? '' : id) || undefined }
}

const listIssues = ({ issue }: TableRecord) => (issue ? [issue] : [])
const nothing = { sections: [], modifierTitles: [], modifierKeys: [] }

function readCustomer(record: TableRecord): FileItem {
  const issues = listIssues(record)
  const [cell] = record.cells.get('phone') ?? []
  const phone = cell && readCode(cell.heading, cell.text)
  if (phone?.issue) issues.push(phone.issue)
  const texts = {
    firstName: firstText(record, 'firstName'),
    lastName: firstText(record, 'lastName'),
    email: firstText(record, 'email'),
    phone: typeof phone?.value === 'string' ? normalizePhone(phone.value) : '',
  }
  if (texts.firstName === '' && texts.lastName !== '') texts.firstName = '–'
  const body = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
  return { resource: 'customers', row: record.row, ...readKeys(record, 'cus_'), body, ...nothing, issues }
}

function readTag(record: TableRecord): FileItem {
  const named = [
    ['Table', firstText(record, 'table')],
    ['Area', firstText(record, 'area')],
  ] as const
  const entries = named.flatMap(([key, value]) => (value === '' ? [] : [{ key, value }]))
  const metadata = [...entries, ...(readMetadata(record) ?? [])]
  return {
    resource: 'tags',
    row: record.row,
    ...readKeys(record, 'tag_'),
    body: {},
    metadata,
    ...nothing,
    issues: listIssues(record),
  }
}

/** Headings of what a dish states in its details, such as its allergens. */
const statements =
  /al+[eé]rg|αλλεργ|ал+ерг|حساسية|אלרג|ภูมิแพ้|アレル|알레르|过敏|過敏|vegan|veget|zusatzstoff|additi[vf]|^contains$|may contain|traces of|free from|^enthält|kann .*enthalten|spuren|frei von|gluten|la[ck]tose|nüsse|\bnuts\b/iu
const statedElsewhere = 'is not taken over: state it in the details of the dishes'
/** Headings of variants, as Magento and Ecwid have them. */
const variants = /varia[nt]|product_option/i
const sizesElsewhere = 'is not read: sizes need a column Size, and a row each'

/** Reads the rows of a table as planned. Returns a question if numbers are ambiguous. */
export async function readTable(
  plan: TablePlan,
  rows: readonly TableRow[],
  choices: Choices,
  { currency, timeZone }: { currency: string | undefined; timeZone: string },
): Promise<FileContent & { questions: readonly Question[]; numberFormat?: DecimalSeparator | undefined }> {
  const { numberFormat, titleRows } = choices
  const notices = createNotices()
  const lacksSizes = plan.preset === undefined && plan.columns.every(({ to }) => to !== 'size' && !isSizePrice(to))
  for (const { to, name } of plan.columns) {
    if (to !== null || name === '' || name.toLowerCase() === errorColumn) continue
    const otherwise = lacksSizes && variants.test(name) ? sizesElsewhere : 'has no place in this service'
    notices.add('column_left_out', statements.test(name) ? statedElsewhere : otherwise, name)
  }
  const numbers = decideNumbers(
    plan,
    rows.map(({ cells }) => cells),
    numberFormat,
    currency,
  )
  const { areFractions, questions: rates } = decideTaxRates(plan, rows, choices.taxRates)
  const { areCents, questions: amounts } = decideAmounts(plan, rows, choices.amounts, currency)
  const { soldBy } = choices
  const context: TableContext = {
    plan,
    numbers: { ...numbers, areFractions, areCents },
    currency: { currency },
    notices,
    soldBy,
  }
  const { titles, question } = readTitleRows(plan, rows, titleRows)
  const listed = removeTotals(plan, await mapPaced(rows, (row) => toRecord(plan, row)), numbers, notices)
  const records = splitLabelled(plan, joinShopRows(plan, applyTitles(listed, titles, notices), notices))
  const formats = decideCoupons(plan, rows, choices)
  const coupons = { ...context, formats, timeZone }
  const read = {
    customers: readCustomer,
    tags: readTag,
    coupons: (record: TableRecord) => readCoupon(coupons, record),
  }
  const items =
    plan.resource === 'customers' || plan.resource === 'tags' || plan.resource === 'coupons'
      ? await mapPaced(records, read[plan.resource])
      : await mapPaced(groupRows(plan, records), (group) => readTableProduct(context, group))
  const questions = [
    ...plan.questions,
    ...(numbers.question ? [numbers.question] : []),
    ...(question ? [question] : []),
    ...rates,
    ...amounts,
    ...askSoldBy(plan, records, soldBy),
    ...formats.questions,
  ]
  return { items, modifiers: [], notices: notices.list(), questions, numberFormat: numbers.format }
}
