import { toVisible } from '../local/visible-text.ts'
import { type CatalogueFile, type ListName, lists, unknownKeys } from './catalogue-file.ts'
import type { LoadedList, LoadResult } from './load-catalogue.ts'
import { getRowName, type LoadingRow } from './rows.ts'

const outcomes = ['created', 'updated', 'existing', 'rejected'] as const

const withOutcome = (rows: readonly LoadingRow[], outcome: LoadingRow['outcome']) =>
  rows.filter((row) => row.outcome === outcome)

/** Whether every row is in the merchant. */
export const isComplete = ({ lists: loaded, stopped }: LoadResult) =>
  stopped === undefined && loaded.every(({ rows }) => withOutcome(rows, 'rejected').length === 0)

/** Describes a load: a table, every rejected row with its reasons, and every change that the loader made to a row. */
export function describeResult(catalogue: CatalogueFile, result: LoadResult): string {
  const rejected = result.lists.flatMap(({ rows }) => withOutcome(rows, 'rejected'))
  const rejections = rejected.flatMap((row) => [
    `  ${toVisible(getRowName(row))}`,
    ...row.reasons.map((reason) => `    ${toVisible(reason)}`),
  ])
  const notes = [
    ...unknownKeys(catalogue).map((key) => `  ${JSON.stringify(key)} is not a list of the API and was not loaded.`),
    ...result.lists.flatMap(createNotes),
  ]
  return [
    ...createTable(catalogue, result),
    ...(rejections.length > 0 ? ['', 'Rejected:', ...rejections] : []),
    ...(notes.length > 0 ? ['', 'Notes:', ...notes] : []),
    ...(result.stopped === undefined ? [] : ['', `${result.stopped} ${resumeHint}`]),
  ].join('\n')
}

const resumeHint = 'Run the same command again to continue. Rows are never loaded twice.'

function createTable(catalogue: CatalogueFile, { lists: loaded, stopped }: LoadResult): string[] {
  const hasUpdates = loaded.some(({ rows }) => withOutcome(rows, 'updated').length > 0)
  const columns = [...outcomes.filter((outcome) => outcome !== 'updated' || hasUpdates)]
  const line = (name: string, cells: readonly { heading: string; text: string }[]) =>
    name.padEnd(10) + cells.map(({ heading, text }) => text.padStart(heading.length + 2)).join('')
  const notTried = (count: (heading: string) => string) =>
    stopped === undefined ? [] : [{ heading: 'not tried', text: count('not tried') }]
  const body = lists.flatMap((list) => {
    const total = catalogue[list]?.length ?? 0
    const rows = loaded.find((found) => found.list === list)?.rows ?? []
    const open = total - rows.filter(({ outcome }) => outcome !== undefined).length
    const cells = columns.map((heading) => ({ heading, text: String(withOutcome(rows, heading).length) }))
    return total > 0 ? [line(list, [...cells, ...notTried(() => String(open))])] : []
  })
  const headings = columns.map((heading) => ({ heading, text: heading }))
  return [line('', [...headings, ...notTried((heading) => heading)]), ...body]
}

/** Describes the changes that the loader made to rows. */
function createNotes({ list, rows }: LoadedList): string[] {
  const loaded = rows.filter(({ id }) => id !== undefined)
  return [
    ...tally(
      list,
      loaded.flatMap(({ filled }) => filled),
      (field) => `had no ${field}; loaded with an empty value`,
    ),
    ...tally(
      list,
      loaded.flatMap(({ emptied }) => emptied),
      (field) => `had an empty ${field}; loaded without it`,
    ),
    ...loaded.flatMap((row) =>
      row.derivedCode === undefined
        ? []
        : [
            `  ${toVisible(getRowName(row))} had no code; loaded with ${toVisible(row.derivedCode)}, derived from its title.`,
          ],
    ),
    ...loaded.flatMap((row) => {
      const places = row.lost.map(({ place }) => place).join(', ')
      return places === '' ? [] : [`  ${toVisible(getRowName(row))} was loaded without ${places}, rejected above.`]
    }),
  ]
}

/** One sentence for each field, with the number of rows that it concerns. */
const tally = (list: ListName, fields: readonly string[], describe: (field: string) => string) =>
  Array.from(
    Map.groupBy(fields, (field) => field),
    ([field, { length }]) => `  ${length} ${length === 1 ? list.slice(0, -1) : list} ${describe(field)}.`,
  )
