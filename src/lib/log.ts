import type { Bindings } from '../env.ts'

/** Writes a log line as JSON, with the id of the request if there is one. Callers must not pass secrets. */
export function log(
  { REQUEST_ID: requestId }: Pick<Bindings, 'REQUEST_ID'>,
  message: string,
  details: Readonly<Record<string, unknown>>,
): void {
  console.error(JSON.stringify({ requestId, message, ...details }))
}
