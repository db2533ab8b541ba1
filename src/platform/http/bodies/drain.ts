import { withTimeout } from '../../lib/timeout.ts'

/** What is read of a body that nobody needs: the largest file that any operation takes fits, and then some. */
const drainLimits = { bytes: 64 * 1024 * 1024, ms: 30_000 } as const

async function readRest(body: ReadableStream<Uint8Array>): Promise<void> {
  let bytes = 0
  for await (const chunk of body.values({ preventCancel: true })) {
    bytes += chunk.byteLength
    if (bytes > drainLimits.bytes) return
  }
}

/**
 * Returns an error response behind the rest of its request. Most clients send a whole body before they read: if the connection closes in
 * between, they report that it was reset, and not the response.
 */
export async function respondBehindBody(
  { body }: Request,
  responding: Response | Promise<Response>,
): Promise<Response> {
  const response = await responding
  if (!body || body.locked || response.status < 400) return response
  await withTimeout(
    drainLimits.ms,
    // A client that hangs up gets no response anyway.
    readRest(body).catch(() => undefined),
  )
  return response
}
