import { throwUnread } from '../client-errors.ts'

/** Yields the lines of a response. The text after the last line break is a line too. */
export async function* readLines(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const readNext = () => reader?.read().catch((cause: unknown) => throwUnread(cause, signal))
  let rest = ''
  try {
    for (let read = await readNext(); read && !read.done; read = await readNext()) {
      const lines = (rest + read.value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    // Rejects if reading failed.
    await reader?.cancel().catch(() => undefined)
  }
}
