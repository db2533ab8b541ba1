const utf8 = new TextEncoder()

/** A stream of texts as UTF-8. Takes the next text only when the reader wants more, so that one text at a time is in memory. */
export function streamTexts(texts: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next()
        if (done) controller.close()
        else controller.enqueue(utf8.encode(value))
      },
      async cancel() {
        await texts.return()
      },
    },
    { highWaterMark: 0 },
  )
}
