import { toVisible } from '../local/visible-text.ts'
import { type CatalogueFile, type ListName, lists, unknownKeys } from './catalogue-file.ts'
import type { LoadResult } from './load-catalogue.ts'
import { getRowName, type LoadingRow } from './loaded-rows.ts'

const isRejected = ({ reasons }: LoadingRow) => reasons.length > 0

/** Whether every row is in the merchant. */
export const isComplete = ({ rows, stopped }: LoadResult) => stopped === undefined && !rows.some(isRejected)

/** Numbers of rows of a list by outcome. */
export function countRows({ rows, current }: LoadResult, list: ListName) {
  const own = rows.filter((row) => row.list === list)
  const { created = 0, updated = 0, unchanged: existing = 0 } = current?.outcomes[list] ?? {}
  const rejected = own.filter(isRejected).length
  return { created, updated, existing, rejected, 'not tried': own.length - created - updated - existing - rejected }
}

/** Describes a load: a table, every rejected row with its reasons, and every change that the loader made to a row. */
export function describeResult(catalogue: CatalogueFile, result: LoadResult): string {
  const rejections = result.rows
    .filter(isRejected)
    .flatMap((row) => [`  ${toVisible(getRowName(row))}`, ...row.reasons.map((reason) => `    ${toVisible(reason)}`)])
  const kept = (result.current?.notices ?? []).filter(({ code }) => code === 'existing_kept')
  const notes = [
    ...unknownKeys(catalogue).map((key) => `  ${JSON.stringify(key)} is not a list of the API and was not loaded.`),
    ...kept.map(({ message }) => `  ${toVisible(message)}. --update changes them.`),
    ...lists.flatMap((list) => createNotes(list, result)),
  ]
  return [
    ...createTable(result),
    ...(rejections.length > 0 ? ['', 'Rejected:', ...rejections] : []),
    ...(notes.length > 0 ? ['', 'Notes:', ...notes] : []),
    ...(result.stopped === undefined ? [] : ['', `${toVisible(result.stopped)} ${resumeHint}`]),
  ].join('\n')
}

const resumeHint = 'Run the same command again to continue. Rows are never loaded twice.'

function createTable(result: LoadResult): string[] {
  const counts = lists
    .filter((list) => result.rows.some((row) => row.list === list))
    .map((list) => ({ list, counted: countRows(result, list) }))
  const hasUpdates = counts.some(({ counted }) => counted.updated > 0)
  const columns = (['created', 'updated', 'existing', 'rejected', 'not tried'] as const).filter(
    (outcome) => (outcome !== 'updated' || hasUpdates) && (outcome !== 'not tried' || result.stopped !== undefined),
  )
  const line = (name: string, toText: (column: (typeof columns)[number]) => string) =>
    name.padEnd(10) + columns.map((column) => toText(column).padStart(column.length + 2)).join('')
  return [
    line('', (column) => column),
    ...counts.map(({ list, counted }) => line(list, (column) => String(counted[column]))),
  ]
}

/** Describes the changes that the loader made to rows. */
function createNotes(list: ListName, { rows }: LoadResult): string[] {
  const loaded = rows.filter((row) => row.list === list && !isRejected(row))
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
