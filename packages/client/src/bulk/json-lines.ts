/** Yields the lines of a response. The text after the last line break is a line too. */
export async function* readLines(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      const lines = (rest + read.value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    await reader?.cancel()
  }
}
