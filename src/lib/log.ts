import type { Bindings } from '../env.ts'

/** Writes a line of the log, as JSON; it names the request that it is about, where it is about one. No secret belongs into it. */
export function log(
  { REQUEST_ID: requestId }: Pick<Bindings, 'REQUEST_ID'>,
  message: string,
  details: Readonly<Record<string, unknown>>,
): void {
  console.error(JSON.stringify({ requestId, message, ...details }))
}
