import { describe, expect, test } from 'vitest'
import { countSteps, requireLinear } from '../../support/count-steps.ts'

const { storeUpload } = await import('../../../src/bulk/import/upload/store-upload.ts')
const { createFileRowReader } = await import('../../../src/bulk/import/rows/file-row-reader.ts')

const utf8 = new TextEncoder()

/** Reads a file that arrives in pieces of some bytes. */
async function read(format: 'csv' | 'jsonl', text: string, pieceBytes: number, match: 'sku' | 'title' = 'sku') {
  const bytes = utf8.encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  const ids = { importId: 'imp_1', merchantId: 'mer_1', match, testMode: false }
  const lease = { hold: async () => undefined }
  const resource = match === 'title' ? undefined : 'products'
  return storeUpload({ format, resource, ...ids, body: pieces, lease, run: async () => undefined })
}

describe('the steps of reading a file grow with its size', () => {
  test.each([
    ['in rows of CSV', 'csv', (count: number) => `title,price\n${'Tea,1\n'.repeat(count)}`],
    ['in cells of a row of CSV', 'csv', (count: number) => `title\n"Tea"${',x'.repeat(count)}\n`],
    ['in quotes of a cell of CSV', 'csv', (count: number) => `title\n"${'""'.repeat(count)}"\n`],
    ['in lines of JSON', 'jsonl', (count: number) => '{"title":"Tea","price":1}\n'.repeat(count)],
    ['in blank lines of JSON', 'jsonl', (count: number) => `${'\n'.repeat(count)}{"title":"Tea"}`],
  ] as const)('%s', async (_, format, create) => {
    await requireLinear(create, (text) => read(format, text, 65_536), 2_000)
    // The file in small pieces: it is never read again from the start.
    await requireLinear(create, (text) => read(format, text, 300), 2_000)
    const text = create(16_000)
    const [large, small] = [
      await countSteps(() => read(format, text, 1e9)),
      await countSteps(() => read(format, text, 30)),
    ]
    expect(small).toBeLessThan(4 * large + 40 * text.length)
  })

  test.each([
    ['rows with the same title', (count: number) => '{"resource":"products","title":"Tea"}\n'.repeat(count)],
    [
      'metadata of a title',
      (count: number) => `{"resource":"tags","metadata":[${'{"key":"a","value":"b"},'.repeat(count)}{}]}\n`,
    ],
  ])('in %s', async (_, create) => {
    await requireLinear(create, (text) => read('jsonl', text, 65_536, 'title'), 2_000)
  })

  test('in columns and rows: short rows cost the same in a wide file', async () => {
    const readRows = (columns: number) => {
      const header = ['title', ...Array.from({ length: columns }, (_, index) => `metadata.${index}`)]
      const { read } = createFileRowReader({ format: 'csv', resource: 'products', header, delimiter: ',' })
      return () => Array.from({ length: 1_000 }, () => read(['Tea', 'x']))
    }
    const [narrow, wide] = [readRows(1), readRows(1_000)]
    narrow()
    expect(await countSteps(wide)).toBeLessThan(1.5 * (await countSteps(narrow)))
  })
})
