import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConnectedCommandLine, connectCommandLine, runAgainst } from './install.ts'

let cli: ConnectedCommandLine
beforeAll(async () => {
  cli = await connectCommandLine()
})
afterAll(() => cli?.remove())

describe('an import', () => {
  const toImport = (fields: object) => ({
    id: 'imp_1',
    state: 'done',
    rows: 1,
    checked: 1,
    applied: 1,
    failed: 0,
    ...fields,
  })
  const answerDone = ({ url }: { url: string }) => [200, url.includes('/errors') ? [] : toImport({})] as const

  test.each([
    ['the service ended, without a row that failed', { state: 'failed', applied: 0 }, 'The import was stopped.'],
    ['is done but for details', {}, 'The details have too many languages.'],
    ['was cancelled in the meantime', { state: 'cancelled', applied: 0 }, undefined],
  ])('that %s is a failure', async (_, fields, message) => {
    const issues = message === undefined ? [] : [{ row: 1, code: 'internal', message }]
    await writeFile(cli.path('one.csv'), 'title,price\nTea,1\n')
    const line = 'merchant-ordering import one.csv --resource products --apply'
    const answer = ({ url }: { url: string }) => [200, url.includes('/errors') ? issues : toImport(fields)] as const
    const { code, output } = await runAgainst(cli, answer, line)
    expect([code, output]).toEqual([1, expect.stringContaining(message ?? 'cancelled')])
    expect((await runAgainst(cli, answer, `${line} --json`)).code).toBe(1)
  })

  test.each(['latin.csv', '- < latin.csv'])(
    'sends the bytes of a file in Windows-1252, which --strict rejects: %s',
    async (words) => {
      const text = 'title,price\nCaf\xE9,1\n'
      await writeFile(cli.path('latin.csv'), text, 'latin1')
      const line = `merchant-ordering import --resource products ${words}`
      const { received } = await runAgainst(cli, answerDone, line)
      expect(received[0]?.body.toString('latin1')).toBe(text)
      const rejected = await cli.type('import', 'latin.csv', '--resource', 'products', '--strict')
      expect([rejected.code, rejected.output]).toEqual([5, expect.stringMatching(/UTF-8.* 15\b/)])
    },
  )

  test.each([
    ['title\nTea\n', 'file.csv', 'text/csv'],
    ['{"title": "Tea"}\n', 'file.JSONL', 'application/jsonl'],
    ['title\nTea\n', '- < file', 'text/csv'],
    ['\uFEFF\n {"title": "Tea"}\n', '- < file', 'application/jsonl'],
    ['{"title": "Tea"}\n', 'file.txt', 'application/jsonl'],
    ['{title}\nTea\n', 'file.txt --type csv', 'text/csv'],
    ['title\nTea\n', 'file.csv --type jsonl', 'application/jsonl'],
  ])('of %j as %s is %s', async (content, words, type) => {
    const [name = ''] = /file\S*/.exec(words) ?? []
    await writeFile(cli.path(name), content)
    const { received } = await runAgainst(cli, answerDone, `merchant-ordering import ${words}`)
    expect(received[0]?.type).toBe(type)
  })
})

test('files are imported and exported', async () => {
  await writeFile(cli.path('products.csv'), 'externalId,title,price\nA,Cake,3\nB,,4\n')
  const checked = await cli.type('import', 'products.csv', '--resource', 'products')
  expect(checked).toMatchObject({ code: 1, output: expect.stringMatching(/^state +ready$/m) })
  expect(checked.output).toMatch(/^3 +required +must be given +title$/m)
  const partly = await cli.type('import', 'products.csv', '--resource', 'products', '--apply', '--partly')
  expect(partly).toMatchObject({ code: 1, output: expect.stringMatching(/^created +1$/m) })

  expect(await cli.type('export', '--out', 'venue.jsonl')).toMatchObject({ code: 0 })
  const lines = (await cli.read('venue.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toEqual({ end: { counts: { products: lines.length - 2 } } })
  expect(lines.some(({ externalId, object }) => externalId === 'A' && object.title === 'Cake')).toBe(true)
  const again = await cli.typeJson('import', 'venue.jsonl', '--match', 'id', '--apply')
  expect(again).toMatchObject({ state: 'done', rows: lines.length - 2, unchanged: lines.length - 2 })
})

test('output that cannot be written is a failure, unless the reader of a pipe has ended', async () => {
  const products = Array.from({ length: 2_000 }, (_, index) => ({
    resource: 'products',
    object: { id: `prod_${index}` },
  }))
  const lines = [{ export: { merchantId: 'mer_1' } }, ...products, { end: { counts: { products: products.length } } }]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const answer = ({ url }: { url: string }) => [200, url.includes('/export') ? text : products] as const
  for (const words of ['export', 'products list', 'products list --json']) {
    const { code, output } = await runAgainst(cli, answer, `merchant-ordering ${words} > /dev/full`)
    expect([words, code, output]).toEqual([words, 1, expect.stringContaining('ENOSPC')])
    const pipe = `{ merchant-ordering ${words}; echo "ended with $?" >&2; } | head -c 1`
    expect((await runAgainst(cli, answer, pipe)).output).toMatch(/ended with 0\n$/)
  }
})

test('a batch fails as a whole, or in parts', async () => {
  const create = (title: string) => JSON.stringify({ op: 'create', resource: 'products', body: { title, price: 1 } })
  await writeFile(cli.path('mixed.jsonl'), `${create('Good')}\n${create('')}\n`)
  expect(await cli.type('batch', 'mixed.jsonl')).toMatchObject({
    code: 5,
    output: expect.stringContaining('/operations/1/body/title'),
  })
  expect(await cli.typeJson('products', 'list', 'q=good')).toEqual([])
  const dry = await cli.type('batch', 'mixed.jsonl', '--independent', '--dry-run')
  expect(dry).toMatchObject({ code: 1, output: expect.stringContaining('1 succeeded, 1 failed.') })
  expect(await cli.typeJson('products', 'list', 'q=good')).toEqual([])
  expect((await cli.type('batch', 'mixed.jsonl', '--independent')).code).toBe(1)
  expect(await cli.typeJson('products', 'list', 'q=good')).toHaveLength(1)
})

test('files of JSON may begin with a byte order mark, and must be UTF-8', async () => {
  const body = '{"title": "Marked", "price": 1}'
  const operation = `{"op": "create", "resource": "products", "body": ${body}}`
  for (const content of [`[${operation}]`, `{"operations": [${operation}]}`, `${operation}\n${operation}\n`]) {
    await writeFile(cli.path('marked'), `\uFEFF${content}`)
    expect(await cli.type('batch', 'marked')).toMatchObject({ code: 0 })
  }
  await writeFile(cli.path('marked'), `\uFEFF${body}`)
  expect(await cli.typeJson('products', 'create', '--data', '@marked')).toMatchObject({ title: 'Marked' })
  expect(await cli.typeJson('products', 'create', 'title=@marked', 'price=1')).toMatchObject({ title: body })
  await writeFile(cli.path('latin'), operation.replace('Marked', 'Caf\xE9'), 'latin1')
  expect(await cli.type('batch', 'latin')).toMatchObject({
    code: 2,
    output: expect.stringMatching(/^latin is not UTF-8/),
  })
})

describe('a batch in parts', () => {
  /** Writes a file of operations that create products. */
  const writeCreations = (count: number, description?: string) => {
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({ op: 'create', resource: 'products', body: { title: `P${index}`, price: 1, description } }),
    )
    return writeFile(cli.path('parts.jsonl'), lines.join('\n'))
  }
  const readTitles = (body: Buffer): string[] =>
    JSON.parse(body.toString()).operations.map((operation: { body: { title: string } }) => operation.body.title)
  const toResponse = (body: Buffer) => {
    const results = readTitles(body).map((id, index) => ({ index, status: 201, id }))
    return [200, { mode: 'independent', results }] as const
  }

  test('sends no more bytes than a request may have', async () => {
    await writeCreations(600, 'ü'.repeat(1_500))
    const line = 'merchant-ordering batch parts.jsonl --independent'
    const { code, output, received } = await runAgainst(cli, ({ body }) => toResponse(body), line)
    expect([code, output]).toEqual([0, '600 succeeded, 0 failed.\n'])
    expect(received.map(({ body }) => body.length > 1_048_576)).toEqual([false, false])
    const titles = received.flatMap(({ body }) => readTitles(body))
    expect(titles).toEqual(Array.from({ length: 600 }, (_, index) => `P${index}`))
  })

  test('prints the results of the parts before one that is rejected', async () => {
    await writeCreations(501)
    const problem = { code: 'invalid_request', detail: 'Not valid.', requestId: 'req_1' }
    const answer = ({ body }: { body: Buffer }, count: number) =>
      count === 1 ? toResponse(body) : ([422, problem] as const)
    const line = 'merchant-ordering batch parts.jsonl --independent'
    const { code, output } = await runAgainst(cli, answer, line)
    expect([code, output]).toEqual([5, expect.stringMatching(/^500 succeeded, 0 failed\.\n.*index 500.*\n422/)])
    const json = await runAgainst(cli, answer, `${line} --json 2>/dev/null`)
    expect([json.code, JSON.parse(json.output).map(({ id }: { id: string }) => id)]).toEqual([
      5,
      Array.from({ length: 500 }, (_, index) => `P${index}`),
    ])
  })
})
