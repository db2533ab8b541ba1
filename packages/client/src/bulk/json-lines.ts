import { throwUnread } from '../client-errors.ts'

/** Yields the lines of a response. The text after the last line break is a line too. */
export async function* readLines(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const readNext = () => reader?.read().catch((cause: unknown) => throwUnread(cause, signal))
  /** The start of a line, in pieces. */
  let rest: string[] = []
  try {
    for (let read = await readNext(); read && !read.done; read = await readNext()) {
      const [first = '', ...others] = read.value.split('\n')
      rest.push(first)
      const last = others.pop()
      if (last === undefined) continue
      yield rest.join('')
      yield* others
      rest = [last]
    }
    const end = rest.join('')
    if (end !== '') yield end
  } finally {
    // Rejects if reading failed.
    await reader?.cancel().catch(() => undefined)
  }
}
