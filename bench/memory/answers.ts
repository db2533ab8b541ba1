import type { Running } from '../platform.ts'

/** A merchant with a product. */
export interface Merchant {
  id: string
  key: string
  product: string
}

/** Response to a large request. */
export interface Answer {
  status: number
  /** Finds out whether the service has done all that it said. Called after the measurement. */
  isDone(): boolean | Promise<boolean>
}

export const toUrl = ({ port }: Running, path: string) => `http://127.0.0.1:${port}${path}`

/** The answer of a request that did not find room. Throws if the client is not told when to repeat it. */
export function readRefusal(status: number, retryAfter: string | null | undefined): Answer {
  if (status !== 503 || !Number(retryAfter)) throw new Error(`${status} with Retry-After: ${retryAfter}`)
  return { status, isDone: () => true }
}

/** Counts the answers by status. Throws if something is not done that a response with 2xx promised. */
export async function countAnswers(answers: readonly Answer[]): Promise<string> {
  const counts = new Map<number, number>()
  for (const { status, isDone } of answers) {
    if (!(await isDone())) throw new Error(`a response with ${status} whose work is not done`)
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return [...counts].map(([status, times]) => `${times} × ${status}`).join(', ')
}

/** Number of bytes, and the last ones as text. */
export async function readEnd(chunks: AsyncIterable<Buffer>): Promise<{ bytes: number; text: string }> {
  let [bytes, text] = [0, '']
  for await (const chunk of chunks) {
    bytes += chunk.length
    text = (text + chunk.toString('latin1')).slice(-1_000)
  }
  return { bytes, text }
}
