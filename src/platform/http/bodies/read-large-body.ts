import type { Context, MiddlewareHandler } from 'hono'
import type { Env } from '../context.ts'
import { bodyTooLarge } from '../exact-json.ts'
import { type Lease, largeWork } from './byte-budget.ts'
import { readChunks } from './read-chunks.ts'

/** Bytes by which a lease grows while a body arrives. */
const growthBytes = 1024 * 1024

/** Number of bytes that a request declares in its headers. */
export const getDeclaredBytes = ({ headers }: Request, maxBytes: number): number => {
  const declared = headers.get('content-length')
  return Math.min(declared === null ? maxBytes : Number(declared), maxBytes)
}

/** Maximum size of a body that needs no lease, in bytes. */
const smallBytes = 65_536

/**
 * Reads a body of at most `maxBytes` that is not small, and holds memory until the response: what has arrived, and `perByte` for each byte once the
 * body is complete. A body that has not arrived takes no room from other requests.
 */
export const holdForBody =
  (maxBytes: number, perByte: number): MiddlewareHandler<Env> =>
  async (c, next) => {
    if (getDeclaredBytes(c.req.raw, maxBytes) <= smallBytes) return next()
    const lease = largeWork.open(c.get('scope').merchantId)
    try {
      const body = await readLargeBody(c, maxBytes, lease, 0)
      await lease.hold(body.length * perByte)
      c.set('body', body)
      await next()
    } finally {
      lease.close()
    }
  }

/** Reads a body of at most `maxBytes`. The lease holds the bytes that have arrived, plus `besides` bytes. */
export async function readLargeBody(
  c: Context<Env>,
  maxBytes: number,
  lease: Lease,
  besides: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let [length, held] = [0, 0]
  for await (const chunk of readChunks(c)) {
    length += chunk.byteLength
    if (length > maxBytes) throw bodyTooLarge(maxBytes)
    if (length > held) {
      held = Math.ceil(length / growthBytes) * growthBytes
      await lease.hold(held + besides)
    }
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  // Starts at the end, so that each chunk is released after it is copied.
  for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) {
    length -= chunk.byteLength
    bytes.set(chunk, length)
  }
  return bytes
}
