import { amountReadings } from '../../items/file-item.ts'
import { mayBeCents } from '../../values/amounts.ts'
import type { Choices, Question, TablePlan } from '../plan.ts'
import { isSizePrice } from '../targets.ts'
import { saysCents } from './size-words.ts'

/**
 * Decides whether the prices of a table are in the minor unit of the currency, such as cents. A heading such as `price_cents` says so. Asks if all
 * prices are whole, and none is as low as that of some dish, unless it is chosen.
 */
export function decideAmounts(
  { resource, preset, columns }: TablePlan,
  rows: readonly { cells: readonly string[] }[],
  chosen: Choices['amounts'],
  currency: string | undefined,
): { areCents: boolean; questions: readonly Question[] } {
  const wanted = columns.flatMap(({ to, name }, index) => (to === 'price' || isSizePrice(to) ? [{ index, name }] : []))
  const [first] = wanted
  const cells = rows.flatMap(({ cells: row }) =>
    wanted.flatMap(({ index }) => {
      const cell = row[index]?.trim() ?? ''
      return /\d/.test(cell) ? [cell] : []
    }),
  )
  // A decimal mark, a separator and the sign of a currency belong to prices in units.
  const isOpen = resource === 'products' && preset === undefined && cells.every((cell) => /^\d+$/.test(cell))
  if (!first || !isOpen || cells.length === 0) return { areCents: false, questions: [] }
  if (chosen) return { areCents: chosen === 'cents', questions: [] }
  if (wanted.every(({ name }) => saysCents(name))) return { areCents: true, questions: [] }
  if (!mayBeCents(cells.map(Number), currency)) return { areCents: false, questions: [] }
  const samples = [...new Set(cells)].slice(0, 3)
  return {
    areCents: false,
    questions: [{ code: 'amounts', column: first.name, samples, choices: amountReadings }],
  }
}
