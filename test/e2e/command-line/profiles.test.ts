import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../../packages/cli/package.json'
import { runCommand } from '../command.ts'
import { type ConnectedCommandLine, connectCommandLine } from './install.ts'

let cli: ConnectedCommandLine
beforeAll(async () => {
  cli = await connectCommandLine()
})
afterAll(() => cli?.remove())

test('the operator creates a merchant and its key, and a key with the right scopes creates keys', async () => {
  const ops = ['--profile', 'ops']
  const { id } = await cli.typeJson('merchants', 'create', 'name=Bakery', 'currency=EUR', ...ops)
  const scopes = 'scopes=["products:read","keys:write"]'
  const { key } = await cli.typeJson('merchants', 'key', id, 'mode=live', scopes, ...ops)
  expect(
    await cli.typeWith(key, 'login', '--url', cli.service.origin, '--merchant', id, '--profile', 'bakery'),
  ).toMatchObject({ code: 0 })
  expect(await cli.typeJson('merchants', 'suspend', id, ...ops)).toMatchObject({ status: 'suspended' })
  expect(await cli.typeJson('merchants', 'resume', id, ...ops)).toMatchObject({ status: 'active' })
  expect(await cli.typeJson('merchants', 'usage', id, ...ops)).toMatchObject({ objects: { products: { live: 0 } } })
  const made = await cli.typeJson('keys', 'create', 'mode=test', 'scopes=["products:read"]')
  expect(made).toMatchObject({ mode: 'test', key: expect.stringMatching(/^sk_test_/) })
  expect(await cli.typeJson('keys', 'revoke', made.id)).toMatchObject({ deleted: true })
  expect(await cli.type('merchants', 'list')).toMatchObject({ code: 2, output: expect.stringContaining('operator') })
  expect((await cli.type('profiles', 'default')).output).toMatch(/^default +true/m)
  expect((await cli.type('logout', '--profile', 'bakery')).code).toBe(0)
  expect((await cli.type('keys', 'list', '--profile', 'bakery')).code).toBe(2)
})

test.each([
  [[], 0, 'Commands:'],
  [['--version'], 0, version],
  [['products', 'create', '--help'], 0, 'Examples:'],
  [['help', 'products', 'create'], 0, 'Examples:'],
  [['products', 'list', '-h'], 0, 'Lists products.'],
  [['nothing'], 2, 'The command nothing does not exist. Run merchant-ordering --help.'],
  [['product', 'list'], 2, 'The command product does not exist. Did you mean products?'],
  [['products', 'lst'], 2, 'The command products lst does not exist. Did you mean products list?'],
  [['products', 'get'], 2, 'Missing an id.\nUsage: merchant-ordering products get <id>'],
  [['products', 'list', '--limit', 'x'], 2, '--limit must be a positive number.'],
  [['products', 'list', '--nothing'], 2, "Unknown option '--nothing'"],
  [['products', 'create', 'title'], 2, 'title is not of the form name=value.'],
  [['products', 'list', '--profile', 'nobody'], 2, 'The profile nobody does not exist.'],
  [['import', 'nothing.csv'], 2, 'nothing.csv cannot be read'],
  [['keys', 'list'], 3, '403 forbidden: The key lacks the scope keys:read.'],
  [['products', 'get', 'prod_nothing'], 4, '404 not_found'],
  [['products', 'create', 'title=', 'price=-1'], 5, '/price must be at least 0.'],
])('%j ends with %i', async (words, code, text) => {
  const result = await cli.type(...words)
  expect([result.code, result.output]).toEqual([code, expect.stringContaining(text)])
})

test('the environment replaces a profile, by the same rules', async () => {
  const typeIn = async (variables: Record<string, string>, ...words: readonly string[]) => {
    const set = Object.entries(variables).map(([name, value]) => `MERCHANT_ORDERING_${name}=${value}`)
    return runCommand(cli.folder, 'env', ...set, cli.path('node_modules/.bin/merchant-ordering'), ...words)
  }
  const { id, key } = await cli.service.createAccount()
  const variables = { URL: cli.service.origin, MERCHANT: id, KEY: key }
  expect(await typeIn(variables, 'products', 'list', '--json')).toEqual({ code: 0, output: '[]\n' })
  for (const [changed, text] of [
    [{ URL: 'http://api.example.com' }, 'A key is sent only over HTTPS'],
    [{ URL: 'nonsense' }, 'nonsense is not an address.'],
    [{ MERCHANT: '' }, 'set MERCHANT_ORDERING_MERCHANT'],
  ] as const) {
    expect(await typeIn({ ...variables, ...changed }, 'products', 'list')).toMatchObject({
      code: 2,
      output: expect.stringContaining(text),
    })
  }
})

test('a file that cannot be written is an error of the command line', async () => {
  for (const words of [['export'], ['tags', 'sheet']]) {
    expect(await cli.type(...words, '--out', 'nowhere/file')).toMatchObject({
      code: 2,
      output: expect.stringContaining('nowhere/file cannot be written: ENOENT'),
    })
  }
})

test('errors are JSON for programs', async () => {
  const { code, output } = await cli.type('products', 'create', 'title=', 'price=1', '--json')
  expect([code, JSON.parse(output)]).toEqual([
    5,
    expect.objectContaining({
      status: 422,
      code: 'invalid_request',
      errors: [expect.objectContaining({ pointer: '/title' })],
    }),
  ])
})

test('a key is not stored if the service rejects it, nor sent without encryption', async () => {
  const profiles = await cli.read('config/merchant-ordering/profiles.json')
  const login = (url: string) => cli.typeWith('sk_live_WRONG', 'login', '--url', url, '--merchant', cli.merchant)
  expect((await login(cli.service.origin)).code).toBe(3)
  expect(await login('http://api.example.com')).toMatchObject({ code: 2, output: expect.stringContaining('HTTPS') })
  expect(await cli.read('config/merchant-ordering/profiles.json')).toBe(profiles)
})

test('profiles that this release cannot read stay in the file', async () => {
  const name = 'config/merchant-ordering/profiles.json'
  const text = await cli.read(name)
  const stored = JSON.parse(text)
  const later = { origin: 'https://api.example.com', credential: { kind: 'of another release' } }
  await writeFile(cli.path(name), JSON.stringify({ ...stored, profiles: { ...stored.profiles, later } }))
  expect((await cli.type('profiles', 'ops')).code).toBe(0)
  expect(JSON.parse(await cli.read(name))).toEqual({ current: 'ops', profiles: { ...stored.profiles, later } })
  await writeFile(cli.path(name), text)
})
