import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedCommandLine, connectCommandLine } from './install.ts'

let cli: ConnectedCommandLine
beforeAll(async () => {
  cli = await connectCommandLine()
})
afterAll(() => cli?.remove())

test('a dish gets sizes, labels and details, and its options are sold out', async () => {
  const options = 'options=[{"id":"s","label":"Small"},{"id":"l","label":"Large"}]'
  const created = await cli.typeJson('modifiers', 'create', 'title=Size', 'instructions=', 'type=RADIO', options)
  const modifier: string = created.id
  const { id } = await cli.typeJson('products', 'create', 'title=Latte', 'price=3', `modifiers=["${modifier}"]`)
  const prices = { s: { price: 3 }, l: { price: 4.2, sku: 'L-1' } }
  const sizes = { modifier, prices }
  expect(await cli.typeJson('products', 'update-details', id, `sizes=${JSON.stringify(sizes)}`)).toEqual({ sizes })
  expect(await cli.typeJson('modifiers', 'sold-out', modifier, 'l', '--until', 'further_notice')).toEqual({
    options: { s: { soldOut: false }, l: { soldOut: true, until: 'further_notice' } },
  })
  expect(await cli.typeJson('products', 'sizes', id)).toEqual([
    { option: 's', label: 'Small', price: 3, soldOut: false },
    { option: 'l', label: 'Large', price: 4.2, sku: 'L-1', soldOut: true },
  ])
  expect((await cli.type('products', 'sizes', id)).output).toMatch(/^l +Large +4\.2 +L-1 .*true$/m)
  const available = { options: { s: { soldOut: false }, l: { soldOut: false } } }
  expect(await cli.typeJson('modifiers', 'available', modifier, 'l')).toEqual(available)
  expect(await cli.typeJson('modifiers', 'availability', modifier)).toEqual(available)
  for (const command of ['label', 'label', 'unlabel'] as const) {
    expect(await cli.type('products', command, 'lunch', id)).toEqual({ code: 0, output: 'Changed 1 product.\n' })
    const found = await cli.typeJson('products', 'list', 'label=LUNCH')
    expect(found.map((each: { id: string }) => each.id)).toEqual(command === 'label' ? [id] : [])
  }
  expect(await cli.typeJson('products', 'details', id)).toEqual({ sizes })
  expect(await cli.type('products', 'label', 'lunch')).toMatchObject({ code: 2 })
  expect(await cli.type('products', 'update-details', id, 'bundle=7')).toMatchObject({ code: 5 })
})
