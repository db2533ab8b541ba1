import { type Catalogue, type ListName, lists, unknownKeys } from './catalogue-file.ts'
import type { LoadedList, LoadResult } from './load-catalogue.ts'
import { getRowName, type LoadingRow } from './rows.ts'

const outcomes = ['created', 'existing', 'refused'] as const
const headings = ['created', 'already there', 'refused', 'not reached'] as const

const withOutcome = (rows: readonly LoadingRow[], outcome: LoadingRow['outcome']) =>
  rows.filter((row) => row.outcome === outcome)

/** Every row is in the merchant. */
export const isComplete = ({ lists: loaded, stopped }: LoadResult) =>
  stopped === undefined && loaded.every(({ rows }) => withOutcome(rows, 'refused').length === 0)

/** What became of a file: a table, every row that was refused and why, and what was loaded otherwise than it stands there. */
export function describeResult(catalogue: Catalogue, result: LoadResult): string {
  const refused = result.lists.flatMap(({ rows }) => withOutcome(rows, 'refused'))
  const refusals = refused.flatMap((row) => [`  ${getRowName(row)}`, ...row.reasons.map((reason) => `    ${reason}`)])
  const notes = [
    ...unknownKeys(catalogue).map((key) => `  ${JSON.stringify(key)} is no list of the API; it was not loaded.`),
    ...result.lists.flatMap(createNotes),
  ]
  return [
    ...createTable(catalogue, result),
    ...(refusals.length > 0 ? ['', 'Refused:', ...refusals] : []),
    ...(notes.length > 0 ? ['', 'Note:', ...notes] : []),
    ...(result.stopped === undefined ? [] : ['', `${result.stopped} ${resumeHint}`]),
  ].join('\n')
}

const resumeHint = 'The same command goes on from here; nothing is loaded twice.'

function createTable(catalogue: Catalogue, { lists: loaded, stopped }: LoadResult): string[] {
  const shown = stopped === undefined ? headings.slice(0, -1) : headings
  const line = (name: string, cells: readonly (string | number)[]) =>
    name.padEnd(10) + shown.map((heading, index) => String(cells[index]).padStart(heading.length + 2)).join('')
  const body = lists.flatMap((list) => {
    const total = catalogue[list]?.length ?? 0
    const rows = loaded.find((found) => found.list === list)?.rows ?? []
    const reached = outcomes.map((outcome) => withOutcome(rows, outcome).length)
    const rest = total - reached.reduce((sum, count) => sum + count, 0)
    return total > 0 ? [line(list, [...reached, rest])] : []
  })
  return [line('', shown), ...body]
}

/** What was loaded otherwise than it stands in the file. */
function createNotes({ list, rows }: LoadedList): string[] {
  const loaded = rows.filter(({ id }) => id !== undefined)
  return [
    ...tally(
      list,
      loaded.flatMap(({ filled }) => filled),
      (field) => `had no ${field}; loaded with empty ones`,
    ),
    ...tally(
      list,
      loaded.flatMap(({ emptied }) => emptied),
      (field) => `had an empty ${field}; loaded without it`,
    ),
    ...loaded.flatMap((row) =>
      row.derivedCode === undefined
        ? []
        : [`  ${getRowName(row)} had no code; loaded with ${row.derivedCode}, which is derived from its title.`],
    ),
    ...loaded.flatMap((row) => {
      const places = row.lost.map(({ place }) => place).join(', ')
      return places === '' ? [] : [`  ${getRowName(row)} was loaded without ${places}, refused above.`]
    }),
  ]
}

/** One sentence for all rows of a list to which the same happened. */
const tally = (list: ListName, fields: readonly string[], happened: (field: string) => string) =>
  Array.from(
    Map.groupBy(fields, (field) => field),
    ([field, { length }]) => `  ${length} ${length === 1 ? list.slice(0, -1) : list} ${happened(field)}.`,
  )
