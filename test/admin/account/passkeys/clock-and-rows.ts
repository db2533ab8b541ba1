import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

export const now = () => Math.floor(Date.now() / 1000)
/** Moves the clock to a time in seconds. */
export const travelTo = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
/** The stored rows whose column has a value. */
export const rows = async (table: string, column: string, value: string) =>
  (await env.DB.prepare(`select * from ${table} where ${column} = ?`).bind(value).all()).results
