import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resourcePaths } from '../../../packages/client/src/client.ts'
import { runCommand } from '../command.ts'
import { takeShare } from '../rounds.ts'
import { type ConnectedCommandLine, connectCommandLine } from './install.ts'

let cli: ConnectedCommandLine
beforeAll(async () => {
  cli = await connectCommandLine()
})
afterAll(() => cli?.remove())

test('the package installs nothing else, and its profiles are readable by the user alone', async () => {
  const installed = await readdir(cli.path('node_modules'))
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['merchant-ordering'])
  expect((await stat(cli.path('config/merchant-ordering'))).mode & 0o777).toBe(0o700)
  expect((await stat(cli.path('config/merchant-ordering/profiles.json'))).mode & 0o777).toBe(0o600)
  const { output } = await cli.type('profiles')
  expect(output).toMatch(/^default +true .*sk_live_…/m)
  expect(output).toMatch(/^ops +false .* operator +…$/m)
  expect(output).not.toContain(cli.service.adminToken)
})

describe('products', () => {
  test('are created, listed, updated and deleted', async () => {
    const made = await cli.type('products', 'create', 'title=Lemon tart', 'price=4.50', 'visible=false')
    expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/^title +Lemon tart$/m) })
    const [, id = ''] = /^id +(\S+)$/m.exec(made.output) ?? []
    const images = '[{"url": "https://a.example/b.png"}]'
    const changed = await cli.typeJson('products', 'update', id, 'price=5', `images=${images}`, 'description:="true"')
    expect(changed).toMatchObject({ price: 5, visible: false, images: JSON.parse(images), description: 'true' })
    const { output } = await cli.type('products', 'list', 'q=lemon')
    expect(output).toMatch(/^id +title +price/)
    expect(output).toMatch(new RegExp(`^${id} +Lemon tart +5 `, 'm'))
    expect(await cli.typeJson('products', 'get', id)).toEqual(changed)
    expect((await cli.type('products', 'delete', id)).output).toBe(`Deleted ${id}.\n`)
    expect(await cli.type('products', 'get', id)).toMatchObject({
      code: 4,
      output: expect.stringMatching(/^404 not_found/),
    })
    expect(await cli.typeJson('products', 'list', 'q=lemon')).toEqual([])
  })

  test('are listed page by page, or the first of them', async () => {
    const operations = Array.from({ length: 120 }, (_, index) => ({
      op: 'create',
      resource: 'products',
      body: { title: `Paged ${index}`, price: 1 },
    }))
    await writeFile(cli.path('paged.json'), JSON.stringify({ operations }))
    expect(await cli.type('batch', 'paged.json')).toEqual({ code: 0, output: '120 succeeded, 0 failed.\n' })
    expect(await cli.typeJson('products', 'list', 'q=paged')).toHaveLength(120)
    expect(await cli.typeJson('products', 'list', 'q=paged', '--limit', '3')).toHaveLength(3)
    expect((await cli.type('products', 'list', 'q=paged')).output.trim().split('\n')).toHaveLength(121)
  })

  test('take a body from a file or a pipe, and an idempotency key', async () => {
    await writeFile(cli.path('body.json'), '{"title": "From a file", "price": 1}')
    const once = ['products', 'create', '--data', '@body.json', 'price=2', '--idempotency-key', 'order-1']
    const first = await cli.typeJson(...once)
    expect(first).toMatchObject({ title: 'From a file', price: 2 })
    expect(await cli.typeJson(...once)).toEqual(first)
    const piped = await cli.typeWith('{"title": "Piped", "price": 3}', 'products', 'create', '--data', '-', '--json')
    expect(JSON.parse(piped.output)).toMatchObject({ title: 'Piped', price: 3 })
  })
})

test.each(resourcePaths)('%s has the five commands', async (path) => {
  const { code, output } = await cli.type(path)
  expect(code).toBe(0)
  for (const verb of ['list', 'get', 'create', 'update', 'delete']) expect(output).toContain(`${path} ${verb} `)
  expect(await cli.typeJson(path, 'list', '--limit', '1')).toBeInstanceOf(Array)
})

test('tags are printed', async () => {
  await cli.typeJson('tags', 'create')
  expect(await cli.type('tags', 'sheet', 'layout=tents', '--out', 'tents.pdf')).toMatchObject({
    code: 0,
    output: 'Wrote tents.pdf.\n',
  })
  expect((await readFile(cli.path('tents.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
})

test('a till checks availability, moves stock, prices orders and redeems coupons', async () => {
  const { id } = await cli.typeJson(
    'products',
    'create',
    'title=Counted',
    'price=2',
    'manageStock=true',
    'stockQuantity=3',
  )
  expect(await cli.typeJson('products', 'sold-out', id, '--until', 'further_notice')).toEqual({
    soldOut: true,
    until: 'further_notice',
  })
  expect(await cli.typeJson('products', 'availability', id)).toMatchObject({ soldOut: true })
  expect((await cli.type('stock', 'list')).output).toMatch(new RegExp(`^${id} +Counted +3 +true +further_notice$`, 'm'))
  expect(await cli.typeJson('products', 'available', id)).toEqual({ soldOut: false })
  const pause = ['service', 'pause', '--until', 'tomorrow', '--message', 'Back soon', '--prep-minutes', '20']
  const paused = { paused: true, until: expect.any(Number), message: 'Back soon', prepMinutes: 20 }
  expect(await cli.typeJson(...pause)).toEqual(paused)
  expect(await cli.typeJson('service', 'get')).toEqual(paused)
  expect(await cli.typeJson('service', 'resume')).toEqual({ paused: false, prepMinutes: 20 })
  const changes = `changes=[{"product":"${id}","delta":-1}]`
  const adjust = ['stock', 'adjust', 'reference=order-1', 'reason=sale', changes]
  expect(await cli.typeJson(...adjust)).toMatchObject({ changes: [{ product: id, stockQuantity: 2 }] })
  await cli.typeJson('coupons', 'create', 'title=Ten', 'code=TILL', 'type=PERCENTAGE', 'value=10')
  const items = `items=[{"product":"${id}","quantity":2}]`
  expect(await cli.typeJson('quotes', 'create', items, 'coupons=["TILL"]')).toMatchObject({
    orderable: true,
    total: 3.6,
  })
  const held = await cli.typeJson('redemptions', 'create', 'code=TILL', 'order=order-1', 'hold=300')
  expect(held).toMatchObject({ state: 'held' })
  expect(await cli.typeJson('redemptions', 'confirm', held.id)).toMatchObject({ state: 'redeemed' })
  expect(await cli.typeJson('redemptions', 'release', held.id)).toMatchObject({ id: held.id, state: 'released' })
  expect(await cli.typeJson('redemptions', 'list', 'order=order-1')).toEqual([
    await cli.typeJson('redemptions', 'get', held.id),
  ])
  expect((await cli.typeJson('audit', 'list', '--limit', '1'))[0]).toMatchObject({ operation: 'redemptions.release' })
})

test('an order is updated, completed and cancelled by its reference', async () => {
  const { id } = await cli.typeJson(
    'products',
    'create',
    'title=Sold',
    'price=2',
    'manageStock=true',
    'stockQuantity=3',
  )
  const json = {
    type: 'order.created',
    data: { orderId: 'A-1' },
    effects: { stock: { reference: 'A-1', changes: [{ product: id, delta: -2 }] } },
  }
  await cli.service.call('POST', `/merchants/${cli.merchant}/events`, cli.key, json)
  await cli.typeJson('orders', 'update', 'orderId=A-1', 'table=7')
  const replaced = { replace: 'A-1', revision: 1, stock: { changes: [{ product: id, delta: -1 }] } }
  await writeFile(cli.path('effects.json'), JSON.stringify(replaced))
  const update = await cli.typeJson('orders', 'update', 'orderId=A-1', '--effects', '@effects.json')
  expect(update.effects.stock.changes).toMatchObject([{ product: id, stockQuantity: 2 }])
  const cancelled = await cli.typeJson('orders', 'cancel', 'A-1', 'why=left')
  expect(cancelled.effects.stock.changes).toMatchObject([{ product: id, stockQuantity: 3 }])
  expect(await cli.typeJson('orders', 'cancel', 'A-1')).toEqual(cancelled)
  await cli.typeJson('orders', 'complete', 'orderId=A-2')
  const events = await cli.typeJson('events', 'list', 'types=order.updated,order.cancelled,order.completed')
  expect(events.map(({ type, data }: Record<string, unknown>) => [type, data])).toEqual([
    ['order.updated', { orderId: 'A-1', table: '7' }],
    ['order.updated', { orderId: 'A-1' }],
    ['order.cancelled', { why: 'left' }],
    ['order.completed', { orderId: 'A-2' }],
  ])
  expect(await cli.type('orders', 'cancel', 'A-9')).toMatchObject({
    code: 5,
    output: expect.stringMatching(/^409 unknown_order/),
  })
  expect((await cli.type('orders', 'update')).code).toBe(2)
})

test('people, scans and webhooks have commands besides those of every resource', async () => {
  const { id: customer } = await cli.typeJson('customers', 'create', 'firstName=Ada', 'lastName=Lovelace')
  expect(await cli.typeJson('customers', 'export', customer)).toMatchObject({ customer: { firstName: 'Ada' } })
  await cli.typeJson('customers', 'erase', customer)
  expect((await cli.type('customers', 'get', customer)).code).toBe(4)
  const { id: tag } = await cli.typeJson('tags', 'create', 'metadata=[{"key":"table","value":"12"}]')
  expect(await cli.typeJson('tags', 'scans', tag)).toEqual([])
  expect((await cli.type('tags', 'list')).output).toMatch(new RegExp(`^${tag} +table=12 `, 'm'))
  const { id: webhook } = await cli.typeJson('webhooks', 'create', 'title=Till', 'url=https://hooks.example.com/')
  expect(await cli.typeJson('webhooks', 'secret', webhook)).toEqual({ secret: expect.stringMatching(/^whsec_/) })
  expect(await cli.typeJson('webhooks', 'deliveries', webhook, 'state=failed')).toEqual([])
  expect(await cli.typeJson('webhooks', 'recover', webhook, '--days', '7')).toEqual({ recovered: 0 })
  await cli.typeJson('webhooks', 'update', webhook, 'active=false')
  expect(await cli.type('webhooks', 'test', webhook)).toMatchObject({
    code: 5,
    output: expect.stringContaining('not active'),
  })
})

test('a table shows the columns that fit the terminal', async () => {
  await cli.typeJson('products', 'create', 'title=Wide 陽菜', 'price=1', 'sku=WIDE')
  const program = cli.path('node_modules/.bin/merchant-ordering')
  const typeAt = async (width: number) => {
    const line = `stty cols ${width}; XDG_CONFIG_HOME=${cli.path('config')} ${program} products list q=wide`
    const [head = ''] = (await runCommand(cli.folder, 'script', '-qec', line, '/dev/null')).output.split(/\r?\n/)
    return head.trim().split(/ {2,}/)
  }
  expect(await typeAt(200)).toEqual(['id', 'title', 'price', 'sku', 'stockQuantity', 'visible'])
  expect(await typeAt(52)).toEqual(['id', 'title', 'price'])
  expect(await typeAt(10)).toEqual(['id'])
})

test('each trigger raises its event, with a test key only', async () => {
  const help = await cli.type('trigger', '--help')
  const names = /^Events: (.*)$/m.exec(help.output)?.[1]?.split(', ') ?? []
  expect(names.length).toBeGreaterThan(20)
  const types = takeShare(names, 4)
  const waiting = [...types]
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      expect(await cli.type('trigger', name, '--profile', 'test')).toEqual({ code: 0, output: `Raised ${name}.\n` })
    }
  }
  await Promise.all([work(), work(), work()])
  const events = await cli.typeJson('events', 'list', '--profile', 'test')
  const raised = new Set(events.map(({ type }: { type: string }) => type))
  expect(types.filter((type) => !raised.has(type))).toEqual([])
  expect(await cli.type('trigger', 'product.created')).toMatchObject({
    code: 2,
    output: expect.stringContaining('test key'),
  })
})

test('bash completes commands, their second words and options', async () => {
  await writeFile(cli.path('completion.bash'), (await cli.type('completion', 'bash')).output)
  const complete = async (...words: readonly string[]) => {
    const script = `source completion.bash; compopt() { :; }; COMP_WORDS=(merchant-ordering "$@"); COMP_CWORD=$#; _merchant_ordering; echo "\${COMPREPLY[*]}"`
    return (await runCommand(cli.folder, 'bash', '-c', script, 'bash', ...words)).output.trim()
  }
  expect(await complete('prod')).toBe('products')
  expect(await complete('products', '')).toBe(
    'list get versions create update delete deleted restore availability sold-out available details update-details sizes label unlabel',
  )
  expect(await complete('trigger', 'order.c')).toBe('order.created order.cancelled order.completed')
  expect(await complete('listen', '--f')).toBe('--forward-to')
  expect(await complete('products', 'update', 'ID', '--if')).toBe('--if-match')
  for (const shell of ['zsh', 'fish'])
    expect((await cli.type('completion', shell)).output).toContain('merchant-ordering')
})
