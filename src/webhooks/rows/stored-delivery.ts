import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { createReader } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { deliveryTable } from '../../platform/db/schema/events.ts'
import { sqlName } from '../../platform/db/sql-name.ts'
import { parseAttempts } from '../attempts/attempt-log.ts'

/** Columns of a delivery whose size is limited. */
export const smallDeliveryFields = {
  event: deliveryTable.event,
  state: deliveryTable.state,
  createdAt: deliveryTable.createdAt,
  dueAt: deliveryTable.dueAt,
}
/** Columns of a delivery that grow with every attempt. */
export const largeDeliveryFields = { attempts: deliveryTable.attempts }
/** A delivery as the log shows it. */
export const deliveryFields = { ...smallDeliveryFields, ...largeDeliveryFields }

/** The error of a damaged delivery. */
export const createDeliveryDamage = (row: Row, merchantId: string, fields: readonly string[]) =>
  new DamagedError({ table: 'deliveries', id: String(row['event']), merchantId, fields: fields.map(sqlName) })

const decode = createReader(deliveryFields)

/** Reads a row that has `deliveryFields`. Throws `DamagedError` if it does not fit. */
export function readDelivery(row: Row, merchantId: string) {
  try {
    const delivery = decode(row)
    const attempts = parseAttempts(delivery.attempts)
    if (attempts) return { ...delivery, attempts }
  } catch (error) {
    throw error instanceof DamagedError ? createDeliveryDamage(row, merchantId, error.damage.fields) : error
  }
  throw createDeliveryDamage(row, merchantId, ['attempts'])
}

/** Columns of a pending delivery that its next message requires. */
export const pendingFields = {
  webhook: deliveryTable.webhook,
  event: deliveryTable.event,
  attempt: deliveryTable.attempt,
  slow: deliveryTable.slow,
}

/** The next message of a pending delivery. */
export const toPendingDelivery = <Fields extends { attempt: number }>({ attempt, ...delivery }: Fields) => ({
  ...delivery,
  n: attempt + 1,
})
