import { runInDurableObject } from 'cloudflare:test'
import { findObject } from './home.ts'

/** Rows that the object of a merchant reads while `act` runs. */
export async function countObjectRows(merchantId: string, act: () => Promise<unknown>): Promise<number> {
  const object = await findObject(merchantId)
  if (!object) throw new Error('the merchant has no object')
  const cursors: { rowsRead: number }[] = []
  const prototype = await runInDurableObject(object.stub, (_, state) => Object.getPrototypeOf(state.storage.sql))
  const { exec } = prototype
  prototype.exec = function (...args: unknown[]) {
    const cursor = exec.apply(this, args)
    cursors.push(cursor)
    return cursor
  }
  try {
    await act()
  } finally {
    prototype.exec = exec
  }
  return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
}
