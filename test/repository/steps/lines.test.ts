import { expect, test, vi } from 'vitest'

const { readLines: readBackupLines } = await import('../../../src/tenancy/backup/restore/read-backup.ts')
const { readLines } = await import('../../../packages/client/src/bulk/json-lines.ts')

/** A text in small pieces. */
function toStream(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + 100))
      at += 100
    },
  })
}

async function readAll(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

test('lines that arrive in pieces are whole, and no piece is searched twice', async () => {
  const text = `${'x'.repeat(20_000)}\n\n${'y'.repeat(5_000)}\nz\n`
  const lines = [...text.split('\n').slice(0, -1)]
  const split = vi.spyOn(String.prototype, 'split')
  const backup = await readAll(readBackupLines(toStream(text).pipeThrough(new CompressionStream('gzip'))))
  const received = await readAll(readLines(new Response(toStream(text)), undefined))
  const searched = split.mock.contexts.filter((_, call) => String(split.mock.calls[call]?.[0]) === '\n')
  split.mockRestore()
  expect([backup, received]).toEqual([lines, lines])
  expect(searched.map(String).join('').length).toBe(2 * text.length)
})
