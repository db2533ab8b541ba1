import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import type { Row } from './row.ts'

/** A row that does not fit its schema, and the fields that do not. */
export interface Damage {
  table: string
  /** The id of the row, as far as it has one. */
  id: string
  merchantId: string
  fields: readonly string[]
}

/** A row that cannot be read. Requests for it get a `damaged` problem. */
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

/** What a report of damaged rows needs. */
export type DamageLog = Pick<Bindings, 'REQUEST_ID' | 'DAMAGE_POINTS'>

/** Damaged rows that one line of the log names; it counts them all. */
const maxLogged = 10

/** Reports damaged rows: one line of the log, and one Analytics Engine point for each table. */
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

/** What is made of the rows that can be read. The others are left out and reported, so that they never hide their neighbours. */
export function readRows<Item>(
  { report }: { report: (damages: readonly Damage[]) => void },
  rows: readonly Row[],
  read: (row: Row) => Item,
): Item[] {
  const damages: Damage[] = []
  const items = rows.flatMap((row) => {
    try {
      return [read(row)]
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      damages.push(error.damage)
      return []
    }
  })
  report(damages)
  return items
}
