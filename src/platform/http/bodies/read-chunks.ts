import type { Context } from 'hono'
import { repeatOldChecks } from '../../auth/authenticate.ts'
import { ApiError } from '../../errors.ts'
import { timedOut, withTimeout } from '../../lib/time.ts'
import type { Env } from '../context.ts'

/** Maximum time without a byte of a body, or without a read of a response, in milliseconds. After that, its memory is released. */
export const stall = { maxMs: 30_000 }

const bodyStalled = () =>
  new ApiError('malformed_body', `The body is not complete: no byte arrived for ${stall.maxMs / 1000} seconds.`)

/**
 * The chunks of a body. A reader that stops leaves the rest. Throws `malformed_body` if the body stalls, which then stays locked. Repeats the checks
 * of rights after the last chunk of a slow body.
 */
export async function* readChunks(c: Context<Env>): AsyncGenerator<Uint8Array, void> {
  const { body } = c.req.raw
  if (!body) return
  if (body.locked) throw bodyStalled()
  const reader = body.getReader()
  let isReading = false
  try {
    for (;;) {
      isReading = true
      const result = await withTimeout(stall.maxMs, reader.read())
      if (result === timedOut) throw bodyStalled()
      isReading = false
      if (result.done) return await repeatOldChecks(c)
      yield result.value
    }
  } finally {
    if (!isReading) reader.releaseLock()
  }
}
