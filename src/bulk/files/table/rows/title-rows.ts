import { type Notices, titleRowReadings } from '../../items/file-item.ts'
import { splitCurrency } from '../../values/currencies.ts'
import { readNumber } from '../../values/numbers.ts'
import type { TableRecord, TableRow } from '../group-rows.ts'
import type { Question, TablePlan } from '../plan.ts'
import { isSizePrice } from '../targets.ts'

type TitleRows = (typeof titleRowReadings)[number]

/** Fewer rows with nothing but a text are products. */
const minTitleRows = 2
const maxSamples = 3

/** The text of a row that has only one cell. Undefined for other rows, and for a number. */
function findTitle({ cells, issue }: TableRow): string | undefined {
  const [only = '', another] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const isTitle = issue === undefined && only !== '' && another === undefined
  return isTitle && readNumber(splitCurrency(only).number) === undefined ? only : undefined
}

/** Whether the columns leave open what a row with only a text is. */
function canHaveTitleRows({ resource, preset, columns }: TablePlan): boolean {
  const targets = new Set(columns.map(({ to }) => to))
  const other = ['category', 'group', 'parent', 'kind']
  return (
    resource === 'products' &&
    preset === undefined &&
    columns.some(({ to }) => to === 'price' || isSizePrice(to)) &&
    !other.some((target) => targets.has(target))
  )
}

/** Titles between the products of a table, by their rows. Empty unless the table begins with one. */
function listTitles(plan: TablePlan, rows: readonly TableRow[]): ReadonlyMap<number, string> {
  const titleColumn = plan.columns.findIndex(({ to }) => to === 'title')
  // Rows without a title are sizes of the product above.
  const isOfAbove = (row: TableRow | undefined) => row !== undefined && (row.cells[titleColumn] ?? '').trim() === ''
  const titles = new Map(
    rows.flatMap((row, index) => {
      const title = findTitle(row)
      return title === undefined || isOfAbove(rows[index + 1]) ? [] : [[row.row, title] as const]
    }),
  )
  const [first] = rows
  const isList = canHaveTitleRows(plan) && first !== undefined && titles.has(first.row)
  return isList && titles.size >= minTitleRows && titles.size < rows.length ? titles : new Map()
}

/** Decides what rows with nothing but a text are. Asks unless it is chosen. */
export function readTitleRows(plan: TablePlan, rows: readonly TableRow[], chosen: TitleRows | undefined) {
  const titles = listTitles(plan, rows)
  const question: Question | undefined =
    titles.size > 0 && chosen === undefined
      ? { code: 'title_rows', samples: [...titles.values()].slice(0, maxSamples), choices: titleRowReadings }
      : undefined
  return { question, titles: chosen === 'products' ? new Map<number, string>() : titles }
}

const maxShownUnits = 100

/** Gives each product the section whose title stands above it, and removes the titles. Those of no product, such as notes at the end, are counted. */
export function applyTitles(
  records: readonly TableRecord[],
  titles: ReadonlyMap<number, string>,
  notices: Notices,
): readonly TableRecord[] {
  let text: string | undefined
  let isUsed = true
  const leave = () => {
    if (text === undefined || isUsed) return
    notices.add('part_left_out', `a row above no product: ${JSON.stringify(text.slice(0, maxShownUnits))}`)
  }
  const kept = records.flatMap((record): readonly TableRecord[] => {
    const title = titles.get(record.row)
    if (title !== undefined) {
      leave()
      text = title
      isUsed = false
      return []
    }
    if (text === undefined) return [record]
    isUsed = true
    return [{ ...record, cells: new Map([...record.cells, ['category', [{ heading: '', text }]]]) }]
  })
  leave()
  return kept
}
