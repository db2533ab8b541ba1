import type { Bindings } from '../env.ts'
import { log } from './log.ts'

const utf8 = new TextEncoder()

/** A part of a response: a text, which is sent as UTF-8, or bytes. */
export type StreamPart = string | Uint8Array

/** A stream of texts as UTF-8, or of bytes. Takes the next part only when the reader wants more, so that one at a time is in memory. */
export function streamTexts(texts: AsyncIterator<StreamPart, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? utf8.encode(value) : value)
      },
      async cancel() {
        await texts.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Passes texts on. Logs an error that cuts the stream off, because its response has already started. */
export async function* logFailure(
  env: Pick<Bindings, 'REQUEST_ID'>,
  merchant: string,
  texts: AsyncGenerator<StreamPart, void, undefined>,
) {
  try {
    yield* texts
  } catch (error) {
    log(env, 'export cut off', { merchant, error: String(error) })
    throw error
  }
}
