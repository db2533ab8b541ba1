import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConnectedCommandLine, connectCommandLine, runAgainst } from './install.ts'

let cli: ConnectedCommandLine
beforeAll(async () => {
  cli = await connectCommandLine()
})
afterAll(() => cli?.remove())

const toImport = (state: string) => ({ id: 'imp_1', state, rows: 9, checked: 9, applied: 4, failed: 0 })
/** Types Ctrl-C when the service has been asked for the state of an import. */
const interrupted = (words: string) =>
  `merchant-ordering import nine.csv --resource products ${words} & child=$!
   for i in $(seq 200); do [ -e asked ] && break; sleep 0.05; done; kill -INT $child; wait $child`

describe('Ctrl-C during an import', () => {
  test.each([
    ['--apply', 'applying'],
    ['--apply --partly', 'applying'],
    ['', 'checking'],
  ])('%s says that the service goes on, and how to cancel it', async (words, state) => {
    await writeFile(cli.path('nine.csv'), 'title,price\nTea,1\n')
    await runAgainst(cli, () => [200, {}], 'rm -f asked')
    const answer = () => [200, toImport(state)] as const
    const line = interrupted(words).replace('merchant-ordering', '(sleep 2; touch asked) & exec merchant-ordering')
    const { code, output, received } = await runAgainst(cli, answer, line)
    expect([code, received.length > 1]).toEqual([130, true])
    expect(output).toContain('The service continues the import imp_1.')
    expect(output).toContain('Cancel it: merchant-ordering imports cancel imp_1')
    expect(output).toContain('See it:    merchant-ordering imports get imp_1')
  })
})

test('imports are listed, shown and cancelled', async () => {
  await writeFile(cli.path('products.csv'), 'externalId,title,price\nA,Cake,3\nB,Tart,4\n')
  const { id } = await cli.typeJson('import', 'products.csv', '--resource', 'products')
  await cli.typeJson('import', 'products.csv', '--resource', 'products')
  expect(await cli.typeJson('imports', 'get', id)).toMatchObject({ id, state: 'ready', rows: 2 })
  expect(await cli.typeJson('imports', 'cancel', id)).toMatchObject({ id, state: 'cancelled' })
  const listed = await cli.typeJson('imports', 'list')
  expect(listed.map(({ state }: { state: string }) => state)).toEqual(['ready', 'cancelled'])
  expect(await cli.typeJson('imports', 'list', 'limit=1')).toEqual(listed.slice(0, 1))
  expect((await cli.type('imports', 'list')).output).toMatch(new RegExp(`^${id} +cancelled +products +2 `, 'm'))
  expect(await cli.type('imports', 'list', 'state=done')).toMatchObject({
    code: 2,
    output: expect.stringContaining('Imports have no filter state.'),
  })
  expect((await cli.type('imports', 'get', 'imp_none')).code).toBe(4)
})

test('an import is undone by its id, and what stays is printed', async () => {
  await writeFile(cli.path('undone.csv'), 'title,price\nUndone cake,3\nUndone tart,4\n')
  const written = await cli.type('import', 'undone.csv', '--resource', 'products', '--yes')
  const [, id = ''] = /Take it back: merchant-ordering imports undo (\S+)/.exec(written.output) ?? []
  const named = await cli.typeJson('products', 'list', 'q=Undone cake')
  await cli.typeJson('products', 'update', named[0].id, 'price=5')
  const plan = await cli.type('imports', 'undo', id, '--dry-run', '--json')
  expect([plan.code, JSON.parse(plan.output)]).toMatchObject([1, { dryRun: true, conflictCount: 1 }])
  const undone = await cli.type('imports', 'undo', id)
  expect(undone).toMatchObject({ code: 1, output: expect.stringContaining(named[0].id) })
  const left = await cli.typeJson('products', 'list', 'q=Undone')
  expect(left.map(({ title }: { title: string }) => title)).toEqual(['Undone cake'])
  const { id: ready } = await cli.typeJson('import', 'undone.csv', '--resource', 'products')
  expect(await cli.type('imports', 'undo', ready)).toMatchObject({
    code: 2,
    output: expect.stringContaining('has written nothing'),
  })
})

test('a large undo is followed; Ctrl-C says that the service goes on', async () => {
  const counts = { created: 900, updated: 0, deleted: 0 }
  const undo = { id: 'chg_2', undoes: 'chg_1', kind: 'undo', state: 'undoing', counts, conflictCount: 0, conflicts: [] }
  const answer = ({ url }: { url: string }) =>
    [200, url.includes('/imports/') ? { ...toImport('done'), changeSet: 'chg_1' } : { ...undo, objects: [] }] as const
  await runAgainst(cli, answer, 'rm -f asked')
  const line = interrupted('').replace(
    'merchant-ordering import nine.csv --resource products ',
    '(sleep 2; touch asked) & exec merchant-ordering imports undo imp_1',
  )
  const { code, output, received } = await runAgainst(cli, answer, line)
  expect([code, received.length > 3]).toEqual([130, true])
  expect(output).toContain('The service continues. See it: merchant-ordering changes show chg_2')
})

describe('a list', () => {
  test('takes limit=N as --limit N, for every command that lists', async () => {
    const page = Array.from({ length: 5 }, (_, index) => ({ id: `obj_${index}`, title: 'Tea' }))
    const lists = (await cli.type('--help')).output.match(/^ {2}\w[\w-]+ .*\blist\b.*$/gm) ?? []
    const commands = lists
      .map((line) => `${line.trim().split(/\s/)[0]} list`)
      .filter((name) => !/^merchants/.test(name))
    expect(commands.length).toBeGreaterThan(10)
    for (const command of [...commands, 'webhooks deliveries wh_1']) {
      const { output, received } = await runAgainst(
        cli,
        () => [200, page],
        `merchant-ordering ${command} limit=2 --json`,
      )
      expect([command, JSON.parse(output).length]).toEqual([command, 2])
      expect(received).toHaveLength(1)
    }
    for (const words of ['limit=0', 'limit=x', 'limit=2 --limit 3']) {
      expect((await cli.type('products', 'list', ...words.split(' '))).code).toBe(2)
    }
  })

  test('has whole texts when it is piped', async () => {
    const message = `${'The value is not valid. '.repeat(8)}End`
    const issues = [{ row: 2, code: 'invalid', message }]
    await writeFile(cli.path('one.csv'), 'title,price\nTea,1\n')
    const answer = ({ url }: { url: string }) => [200, url.includes('/errors') ? issues : toImport('ready')] as const
    const { output } = await runAgainst(cli, answer, 'merchant-ordering import one.csv | cat')
    expect(output).toContain(message)
    const results = [{ index: 0, status: 422, problem: { detail: message } }]
    await writeFile(cli.path('batch.json'), '[{"op": "delete", "resource": "products", "id": "a"}]')
    const batch = await runAgainst(cli, () => [200, { results }], 'merchant-ordering batch batch.json | cat')
    expect(batch.output).toContain(message)
    const rows = [
      { id: 'a', title: message, price: 1 },
      { id: 'b', title: 'Tea', price: 2 },
    ]
    const listed = await runAgainst(cli, () => [200, rows], 'merchant-ordering products list | cat')
    expect(listed.output).toContain(message)
    // Other rows do not become as wide.
    expect(listed.output.split('\n').find((line) => line.startsWith('b '))?.length).toBeLessThan(80)
  })
})

test.each(['640', '604', '666', '620'])(
  'files with keys that others can read (mode %s) are refused, with the cure',
  async (mode) => {
    const file = cli.path('config', 'merchant-ordering', 'profiles.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const before = await readFile(file)
    await chmod(file, Number.parseInt(mode, 8))
    try {
      for (const words of [['products', 'list'], ['profiles'], ['logout']]) {
        expect(await cli.type(...words)).toMatchObject({
          code: 2,
          output: expect.stringContaining(`Run: chmod 600 '${file}'`),
        })
      }
      const [, cure = ''] = /Run: (.*)/.exec((await cli.type('profiles')).output) ?? []
      await runAgainst(cli, () => [200, {}], cure)
      expect((await cli.type('products', 'list')).code).toBe(0)
    } finally {
      await chmod(file, 0o600)
    }
    expect(await readFile(file)).toEqual(before)
  },
)
