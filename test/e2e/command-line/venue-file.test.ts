import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { pageExamples } from '../../support/page-examples.ts'
import { type ConnectedCommandLine, connectCommandLine, runAgainst } from './install.ts'

let cli: ConnectedCommandLine
beforeAll(async () => {
  cli = await connectCommandLine()
  for (const mode of ['live', 'test'] as const) {
    const path = `/admin/merchants/${cli.merchant}/keys`
    const { body } = await cli.service.call('POST', path, cli.service.adminToken, { mode, scopes })
    const profile = ['--url', cli.service.origin, '--merchant', cli.merchant, '--profile', mode]
    await cli.typeWith(body.key, 'login', ...profile)
  }
  await cli.type('profiles', 'live')
})
afterAll(() => cli?.remove())

const example = pageExamples.find(({ name }) => name === 'docs/venue-as-code.md: merchant:')?.text ?? ''
const save = (text: string) => writeFile(cli.path('venue.yaml'), text)
const apply = (...words: readonly string[]) => cli.type('apply', 'venue.yaml', ...words)

test('the file of the page makes a venue, and a second run changes nothing', async () => {
  await save(example)
  const checked = await apply('--check')
  expect([checked.code, checked.output]).toEqual([
    7,
    expect.stringMatching(/ 7 to create, 0 to change, 0 to delete, 0 unchanged$/m),
  ])
  expect(await cli.typeJson('products', 'list')).toEqual([])
  const unasked = await apply()
  expect([unasked.code, unasked.output]).toEqual([2, expect.stringContaining('Add --yes')])
  const applied = await apply('--yes')
  expect([applied.code, applied.output]).toEqual([0, expect.stringMatching(/^Applied\.$/m)])
  expect(await cli.typeJson('merchant', 'get')).toMatchObject({ name: 'Bar Otto', timezone: 'Europe/Vienna' })
  const [menu] = await cli.typeJson('menus', 'list')
  expect(menu.sections.map(({ items }: { items: string[] }) => items.length)).toEqual([2, 1])
  const before = await cli.typeJson('events', 'list')
  for (const words of [['--check'], ['--yes']]) {
    const again = await apply(...words)
    expect([again.code, again.output]).toEqual([0, '0 to create, 0 to change, 0 to delete, 7 unchanged\n'])
  }
  expect(await cli.typeJson('events', 'list')).toEqual(before)
})

test('a change is shown with its old and new values, and taken back as one change set', async () => {
  await save(
    example
      .replace('price: 2.60', 'price: 2.75')
      .replace(', additionalCost: 0.50', '')
      .replace('position: 1', 'position: 2'),
  )
  const plan = await apply('--check', '--json')
  const { changes } = JSON.parse(plan.output)
  expect([plan.code, changes.map(({ key, fields }: { key: string; fields: object[] }) => [key, fields])]).toEqual([
    7,
    [
      ['milk', [{ pointer: '/options/1/additionalCost', before: 0.5 }]],
      ['espresso', [{ pointer: '/price', before: 2.6, after: 2.75 }]],
      ['day', [{ pointer: '/details/position', before: 1, after: 2 }]],
    ],
  ])
  const { changeSet, updated } = await cli.typeJson('apply', 'venue.yaml', '--yes')
  expect(updated).toBe(3)
  await cli.typeJson('changes', 'undo', changeSet)
  await save(example)
  expect((await apply('--check')).code).toBe(0)
})

test('counters of existing objects stay as they are', async () => {
  const stocked = (quantity: number) =>
    save(`products:\n  jam:\n    title: Jam\n    price: 5\n    manageStock: true\n    stockQuantity: ${quantity}\n`)
  await stocked(12)
  expect((await apply('--yes')).code).toBe(0)
  await stocked(3)
  expect((await apply('--check')).code).toBe(0)
  expect(await cli.typeJson('products', 'list', 'q=jam')).toMatchObject([{ stockQuantity: 12 }])
})

describe('a mistake', () => {
  /** A file whose line 300 is a price. */
  const long = (price: string) =>
    [
      'products:',
      ...Array.from({ length: 100 }, (_, at) => `  p${at}:\n    title: P${at}\n    price: ${at === 99 ? price : 1}`),
    ].join('\n')

  test.each([
    [
      'in line 300, which the service finds',
      long('cheap').replace('products:', 'products:\n').replace('\n\n', '\n'),
      /^venue\.yaml:301:12: \/products\/p99\/price must be /,
    ],
    [
      'in the form of line 300',
      `#\n${long('1').replace('    title: P99', '   title: P99')}`,
      /^venue\.yaml:30\d:\d+: /,
    ],
    [
      'in the name of a part',
      'product:\n  tea: {title: Tea, price: 1}\n',
      /^venue\.yaml:1:1: \/product is not a part .*did you mean products\?/,
    ],
    [
      'in a reference',
      'products:\n  tea:\n    title: Tea\n    price: 1\n    modifiers: [mlik]\n',
      /^venue\.yaml:5:17: \/products\/tea\/modifiers\/0 mlik must be one of the modifiers .*did you mean milk\?/,
    ],
    [
      'in details',
      'menus:\n  day:\n    title: Day\n    details: {position: first}\n',
      /^venue\.yaml:4:25: \/menus\/day\/details\/position must /,
    ],
    ['in settings', 'merchant:\n  timezone: Mars\n', /^venue\.yaml:2:13: \/merchant\/timezone must /m],
    [
      'of a missing field',
      'products:\n  tea:\n    title: Tea\n',
      /^venue\.yaml:2:3: \/products\/tea\/price must be given/,
    ],
    ['of an object without fields', 'products:\n  tea:\n', /^venue\.yaml:2:\d+: \/products\/tea must have fields/],
    ['of a repeated key', 'products:\n  tea: {title: Tea}\n  tea: {title: Tea}\n', /^venue\.yaml:3:3: .*twice/],
    [
      'of an alias that grows',
      `products:\n  a: &a {x: ${'['.repeat(90)}1${']'.repeat(90)}}\n  b: &b [*a, *a]\n${'cdefghijklmnopqrstuv'
        .split('')
        .map((name, at) => `  ${name}: &${name} [*${String.fromCharCode(98 + at)}, *${String.fromCharCode(98 + at)}]`)
        .join('\n')}`,
      /must have at most 200000 values/,
    ],
    ['of an alias in itself', 'products: &a\n  tea: *a\n', /must have at most 200000 values in 100 levels/],
    [
      'of an infinite number',
      'products:\n  tea: {title: Tea, price: .inf}\n',
      /^venue\.yaml:2:28: .*\.inf is not a number/,
    ],
  ])('%s has its line, column and path, and nothing is written', async (_, text, message) => {
    await save(text)
    const before = await cli.typeJson('events', 'list')
    const { code, output } = await apply('--yes')
    expect([code, output]).toEqual([2, expect.stringMatching(message)])
    expect(await cli.typeJson('events', 'list')).toEqual(before)
  })

  test('is an object for programs', async () => {
    await save('products:\n  tea:\n    title: Tea\n    price: cheap\n')
    const { output } = await apply('--check', '--json')
    expect(JSON.parse(output).errors).toMatchObject([{ line: 4, column: 12, pointer: '/products/tea/price' }])
  })
})

describe('deletions', () => {
  test('need --prune, and touch only resources of the file', async () => {
    await save(example.replace(/ {2}strudel:[\s\S]*(?=\ncoupons)/, '').replace(/\n {6}- title: Cakes\n.*\n/, '\n'))
    const kept = await apply('--check')
    expect([kept.code, kept.output]).toEqual([7, expect.stringContaining('0 to delete')])
    const pruned = await apply('--prune', '--check')
    expect(pruned.output).toMatch(/^- products\/strudel {2}Apple strudel$/m)
    expect(pruned.output).toMatch(/^- products\/jam {2}Jam$/m)
    const { deleted } = await cli.typeJson('apply', 'venue.yaml', '--prune', '--yes')
    expect(deleted).toBe(2)
    await save('menus: {}\n')
    const one = await apply('--prune', '--check')
    expect(one.output).toMatch(/^- menus\/day .*\n0 to create, 0 to change, 1 to delete/m)
  })

  test('of many need their number', async () => {
    const many = Array.from(
      { length: 11 },
      (_, at) => `  many${at}: {title: Many, code: MANY${at}, type: FIXED, value: 1}\n`,
    )
    await save(`coupons:\n${many.join('')}`)
    expect((await apply('--yes')).code).toBe(0)
    await save('coupons:\n  many0: {title: Many}\n')
    const refused = await apply('--prune', '--yes')
    expect([refused.code, refused.output]).toEqual([2, expect.stringContaining('--confirm-deletes 11')])
    const confirmed = await apply('--prune', '--yes', '--confirm-deletes', '11')
    expect([confirmed.code, confirmed.output]).toEqual([0, expect.stringContaining('11 to delete, 1 unchanged')])
  })
})

test('an exported venue is as its file says, and makes the same venue elsewhere', async () => {
  await save(example)
  expect((await apply('--yes')).code).toBe(0)
  expect((await cli.type('export', '--format', 'yaml', '--out', 'venue.yaml')).code).toBe(0)
  const same = await apply('--check')
  expect([same.code, same.output]).toEqual([0, expect.stringContaining('0 to create, 0 to change')])
  // Test mode is another venue with the same settings.
  const made = await apply('--yes', '--profile', 'test')
  expect([made.code, made.output]).toEqual([0, expect.stringMatching(/^\d+ to create, 0 to change/m)])
  await cli.type('export', '--format', 'yaml', '--out', 'test.yaml', '--profile', 'test')
  expect(await cli.read('test.yaml')).toBe(await cli.read('venue.yaml'))
})

test('an object without an external id has its id as key', async () => {
  const { id } = await cli.typeJson('products', 'create', 'title=Unnamed', 'price=1')
  await cli.type('export', '--format', 'yaml', '--out', 'venue.yaml')
  await save((await cli.read('venue.yaml')).replace('title: Unnamed', 'title: Named'))
  const { changes } = JSON.parse((await apply('--check', '--json')).output)
  expect(changes).toMatchObject([{ change: 'update', key: id, title: 'Named' }])
  await save(`products:\n  ${id.replace(/_.*/, `_${'0'.repeat(26)}`)}: {title: Lost, price: 1}\n`)
  expect((await apply('--check')).output).toMatch(/must be the id of an object/)
})

test('a file of more than 500 objects is written in batches of one change set', async () => {
  const names = Array.from({ length: 520 }, (_, at) => `n${at}`)
  const products = names.map((name) => `  ${name}: {title: ${name}, price: 1, modifiers: [extra]}\n`).join('')
  const text = `menus:\n  large:\n    title: Large\n    sections: [{title: All, items: [${names.join(', ')}]}]\nmodifiers:\n  extra: {title: Extra, instructions: ''}\nproducts:\n${products}`
  await save(text)
  const { changeSet, created } = await cli.typeJson('apply', 'venue.yaml', '--yes')
  expect(created).toBe(522)
  const [menu] = await cli.typeJson('menus', 'list', 'q=large')
  expect(menu.sections[0].items).toHaveLength(520)
  expect((await cli.typeJson('changes', 'show', changeSet)).counts).toMatchObject({ created: 522 })
  expect((await apply('--check')).code).toBe(0)
  await save(
    text.replace("instructions: ''", 'instructions: 5').replace('{title: n519, price: 1', '{title: n519, price: -1'),
  )
  expect((await apply('--check')).output).toMatch(/\/products\/n519\/price must/)
})

test('the second of two batches that is rejected leaves the first, and says so', async () => {
  const names = Array.from({ length: 501 }, (_, at) => `n${at}`)
  await save(`products:\n${names.map((name) => `  ${name}: {title: ${name}, price: 1}\n`).join('')}`)
  const lines = ['{"export":{"merchantId":"mer_1"}}', '{"end":{"counts":{}}}'].join('\n')
  const problem = {
    ...{ code: 'batch_failed', detail: 'Nothing was changed.', requestId: 'req_1' },
    errors: [{ pointer: '/operations/0/body/title', code: 'conflict', message: 'must be another' }],
  }
  let written = 0
  const { code, output } = await runAgainst(
    cli,
    ({ url, body }) => {
      if (url.includes('/export')) return [200, lines]
      const { operations } = JSON.parse(body.toString())
      if (!url.includes('dryRun') && ++written === 2) return [422, problem]
      return [
        200,
        { results: operations.map((_: object, index: number) => ({ index, status: 201 })), changeSet: 'cs_1' },
      ]
    },
    'merchant-ordering apply venue.yaml --yes',
  )
  expect([code, output]).toEqual([
    2,
    expect.stringMatching(
      /500 of 501 changes were written\..*\nvenue\.yaml:502:17: \/products\/n500\/title must be another$/m,
    ),
  ])
})
