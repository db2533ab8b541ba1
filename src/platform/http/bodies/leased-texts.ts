import type { Context } from 'hono'
import { checkLife, repeatOldChecks } from '../../auth/authenticate.ts'
import { type StreamPart, streamTexts } from '../../lib/text-stream.ts'
import type { Env } from '../context.ts'
import { type Lease, largeWork } from './byte-budget.ts'
import { stall } from './read-chunks.ts'

type Texts = AsyncGenerator<StreamPart, void, undefined>

/**
 * Passes texts on, as long as the request has its rights. Closes the lease after the last one, when the reader stops, or when it reads nothing for
 * 30 seconds. It is not a generator: a generator that never started runs no `finally`.
 */
function closeBehind(c: Context<Env>, lease: Lease, texts: Texts): AsyncIterator<StreamPart, void, undefined> {
  let cut: Error | undefined
  const startTimer = () =>
    setTimeout(() => {
      cut = new Error('the reader stalled')
      texts
        .throw(cut)
        .catch(() => undefined)
        .finally(lease.close)
    }, stall.maxMs)
  let timer = startTimer()
  return {
    async next() {
      clearTimeout(timer)
      if (cut) throw cut
      try {
        await repeatOldChecks(c, checkLife.streamMs).catch((error) => texts.throw(error))
        const result = await texts.next()
        if (result.done) lease.close()
        else timer = startTimer()
        return result
      } catch (error) {
        lease.close()
        throw error
      }
    },
    async return() {
      clearTimeout(timer)
      try {
        return await texts.return()
      } finally {
        lease.close()
      }
    },
  }
}

/** The body of a response of texts for which a lease is open. For `HEAD` it is empty, because nothing would read or cancel it. */
export async function streamLeased(c: Context<Env>, lease: Lease, texts: Texts): Promise<ReadableStream<Uint8Array>> {
  if (c.req.method !== 'HEAD') return streamTexts(closeBehind(c, lease, texts))
  lease.close()
  await texts.return()
  return streamTexts(texts)
}

/** Memory of a response that is made as it is read, a text of about 1 MiB at a time, in bytes. */
const textMemory = 2 * 1024 * 1024

/** The body of a response of texts, for which memory is held from now on. Throws `busy` if there is no room. */
export async function holdTexts(
  c: Context<Env>,
  merchantId: string,
  texts: Texts,
): Promise<ReadableStream<Uint8Array>> {
  const lease = largeWork.open(merchantId)
  try {
    await lease.hold(textMemory)
  } catch (error) {
    lease.close()
    throw error
  }
  return streamLeased(c, lease, texts)
}
