import { runInDurableObject } from 'cloudflare:test'
import { findObject } from './home.ts'

/** Statements that the object of a merchant runs during `act`, and the rows that each reads and writes. */
export async function logObjectStatements(merchantId: string, act: () => Promise<unknown>) {
  const object = await findObject(merchantId)
  if (!object) throw new Error('the merchant has no object')
  const cursors: { sql: string; cursor: { rowsRead: number; rowsWritten: number } }[] = []
  const prototype = await runInDurableObject(object.stub, (_, state) => Object.getPrototypeOf(state.storage.sql))
  const { exec } = prototype
  prototype.exec = function (...args: unknown[]) {
    const cursor = exec.apply(this, args)
    cursors.push({ sql: String(args[0]), cursor })
    return cursor
  }
  try {
    await act()
  } finally {
    prototype.exec = exec
  }
  return cursors.map(({ sql, cursor: { rowsRead, rowsWritten } }) => ({ sql, rowsRead, rowsWritten }))
}

/** Rows that the object of a merchant reads while `act` runs. */
export const countObjectRows = async (merchantId: string, act: () => Promise<unknown>): Promise<number> =>
  (await logObjectStatements(merchantId, act)).reduce((sum, { rowsRead }) => sum + rowsRead, 0)
