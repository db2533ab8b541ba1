import { withTimeout } from '../../lib/timeout.ts'

/** Maximum number of bytes that are read of an unused body. Exceeds the largest file that any operation accepts. */
const drainLimits = { bytes: 64 * 1024 * 1024, ms: 30_000 } as const

async function readRest(body: ReadableStream<Uint8Array>): Promise<void> {
  let bytes = 0
  for await (const chunk of body.values({ preventCancel: true })) {
    bytes += chunk.byteLength
    if (bytes > drainLimits.bytes) return
  }
}

/**
 * Returns an error response after the rest of its request was read. Most clients send the whole body before they read. If the connection closes
 * earlier, they report a reset and not the response.
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
