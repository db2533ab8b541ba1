import { tryGetContext } from 'hono/context-storage'
import type { Env } from '../env.ts'

/** Writes a line of the log, as JSON; it names the request that it is about, where it is about one. No secret belongs into it. */
export function log(message: string, details: Readonly<Record<string, unknown>>): void {
  console.error(JSON.stringify({ requestId: tryGetContext<Env>()?.var.requestId, message, ...details }))
}
