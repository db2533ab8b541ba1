import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import type { Row } from './row.ts'

/** A row that does not fit the schema. */
export interface Damage {
  table: string
  /** The id of the row, empty if it has none. */
  id: string
  merchantId: string
  /** The fields that do not fit. */
  fields: readonly string[]
}

/** A row cannot be read. A request for it gets a `damaged` problem. */
export class DamagedError extends Error {
  readonly damage: Damage
  /** The fields that fit. */
  readonly readable: Row

  constructor(damage: Damage, readable: Row = {}) {
    super(`damaged row ${damage.id} of ${damage.table}: ${damage.fields.join(', ')}`)
    this.damage = damage
    this.readable = readable
  }
}

/** The bindings that a report of damaged rows uses. */
export type DamageLog = Pick<Bindings, 'REQUEST_ID' | 'DAMAGE_POINTS'>

/** Maximum number of rows that one log line names. It counts all of them. */
const maxLogged = 10

/** Reports damaged rows: one log line and one Analytics Engine data point for each table. */
export function reportDamage(env: DamageLog, damages: readonly Damage[]): void {
  for (const [table, rows] of Map.groupBy(damages, (damage) => damage.table)) {
    const [{ merchantId } = { merchantId: '' }] = rows
    const named = rows.slice(0, maxLogged).map(({ id, fields }) => ({ id, fields }))
    log(env, 'damaged rows', { code: 'damaged', table, merchant: merchantId, count: rows.length, rows: named })
    try {
      env.DAMAGE_POINTS?.writeDataPoint({ indexes: [merchantId], blobs: [table], doubles: [rows.length] })
    } catch (error) {
      log(env, 'damage not counted', { error: String(error) })
    }
  }
}

/** Reads rows. Leaves out and reports damaged rows, so that the others stay readable. */
export function readRows<StoredRow extends Row, Item>(
  { report }: { report: (damages: readonly Damage[]) => void },
  rows: readonly StoredRow[],
  read: (row: StoredRow) => Item,
): Item[] {
  const damages: Damage[] = []
  const items: Item[] = []
  for (const row of rows) {
    try {
      items.push(read(row))
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      damages.push(error.damage)
    }
  }
  if (damages.length > 0) report(damages)
  return items
}
