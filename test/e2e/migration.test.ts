import { readdir, readFile, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { filling } from '../support/filled.ts'
import { type Checkout, createCheckout } from './checkout.ts'
import { runScript } from './command.ts'
import { isLong, takeShare } from './rounds.ts'

let checkout: Checkout
beforeAll(async () => {
  checkout = await createCheckout()
})
afterEach(() => checkout.reset())
afterAll(() => checkout.remove())

const change = async (file: string, from: string, to: string) => {
  const path = checkout.path('src', file)
  const source = await readFile(path, 'utf8')
  expect(source).toContain(from)
  await writeFile(path, source.replace(from, to))
}
const migrate = (...flags: string[]) => runScript(checkout.folder, 'migration', ...flags)
const files = async () => (await readdir(checkout.path('migrations'), { recursive: true })).sort()
/** The schema that new objects start with. */
const readSchema = () => readFile(checkout.path('src/app/home/schema.sql'), 'utf8')
const read = (file: string) => readFile(checkout.path('migrations', file), 'utf8')

/** A database as the migrations make it, filled before the last of them, and what it held then. */
async function upgrade() {
  const database = new DatabaseSync(':memory:')
  const all = (await files()).filter((file) => file.endsWith('.sql'))
  const last = all.pop() ?? ''
  const apply = async (file: string) => {
    database.exec(`begin; ${(await read(file)).replaceAll('--> statement-breakpoint', '')}; commit`)
  }
  for (const file of all) await apply(file)
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).all()
  for (const sql of filling(new Set(tables.map(({ name }) => String(name))), 1)) database.exec(sql)
  const count = (name: string) => Number(database.prepare(`select count(*) as n from ${name}`).get()?.['n'])
  const counts = () =>
    ['products', 'menu_products', 'coupon_products', 'product_modifiers', 'products_search', 'tag_names'].map(count)
  const triggers = () => database.prepare(`select name, sql from sqlite_master where type = 'trigger' order by 1`).all()
  const before = [counts(), triggers()]
  await apply(last)
  return { database, before, after: [counts(), triggers()] }
}

const limit = ['platform/http/fields.ts', 'title: 255', 'title: 300'] as const
const column = [
  'platform/db/schema/resources/products.ts',
  'calories: integer(),',
  `calories: integer(), allergens: text({ mode: 'json' }), grams: integer().notNull().default(0),`,
] as const
const check = ['platform/db/schema/resources/products.ts', 'images: isJsonList(table.images),', ''] as const

describe('npm run migration', () => {
  test('writes nothing if a limit is raised', async () => {
    const before = await files()
    await change(...limit)
    const { code, output } = await migrate('--name=higher')
    expect([code, output]).toEqual([0, expect.stringContaining('No migration was written')])
    expect(await files()).toEqual(before)
  })

  test('adds triggers that delete the details of deleted objects', async () => {
    await change('platform/names.ts', `const detailedNames = [`, `const detailedNames = ['customer', `)
    const { code, output } = await migrate('--name=customer_details')
    expect([code, output]).toEqual([0, expect.stringContaining('customer_details.sql')])
    const made = (await files()).filter((file) => file.endsWith('.sql')).at(-1) ?? ''
    const statements = (await read(made)).split('--> statement-breakpoint').map((statement) => statement.trim())
    expect(
      statements.map((statement) => /^CREATE TRIGGER `(\w+)` AFTER DELETE ON `customers`/.exec(statement)?.[1]),
    ).toEqual(['customers_details_delete', 'customers_translations_delete'])
    expect((await migrate()).output).toContain('No migration was written')
  })

  test('adds optional columns with their checks and indexes, and keeps existing rows', async () => {
    await change(...column)
    await change(
      'platform/db/schema/resources/products.ts',
      'images: isJsonList(table.images),',
      'images: isJsonList(table.images), allergens: isJsonList(table.allergens),',
    )
    await change(
      'platform/db/schema/resources/products.ts',
      'lookups: { visible: table.visible,',
      'lookups: { visible: table.visible, grams: table.grams,',
    )
    const known = await files()
    const { code, output } = await migrate('--name=allergens')
    expect([code, output]).toEqual([0, expect.stringContaining('_allergens.sql')])
    const added = (await files()).filter((file) => !known.includes(file))
    const sql = await read(added.find((file) => file.endsWith('.sql')) ?? '')
    expect(sql.split('--> statement-breakpoint').map((statement) => statement.trim())).toEqual([
      `ALTER TABLE \`products\` ADD \`allergens\` text CONSTRAINT "products_allergens" CHECK(json_type("products"."allergens") = 'array');`,
      'ALTER TABLE `products` ADD `grams` integer DEFAULT 0 NOT NULL;',
      'CREATE INDEX `products_grams` ON `products` (`merchant_id`,`test_mode`,`grams`,`id`);',
    ])
    const { database, before, after } = await upgrade()
    expect(after).toEqual(before)
    expect(() => database.exec(`update products set allergens = '{}'`)).toThrow('products_allergens')
    expect(await readSchema()).toContain('CREATE INDEX `products_grams`')
    expect((await migrate('--name=again')).output).toContain('No migration was written')
  })

  test.each(
    takeShare(
      [
        ['a check', [check], 'products', '--rebuild products'],
        [
          'a type',
          [['platform/db/schema/resources/products.ts', 'upc: text(),', 'upc: integer(),']],
          'products',
          '--rebuild products',
        ],
        [
          'a column that is left out',
          [['platform/db/schema/resources/coupons.ts', 'description: text(),', '']],
          'coupons',
          'previous release',
        ],
      ] as const,
      3,
    ),
  )('rejects a change of %s, names the table, and writes nothing', async (_, changes, table, hint) => {
    const before = await files()
    for (const [file, from, to] of changes) await change(file, from, to)
    const { code, output } = await migrate('--name=lossy')
    expect([code, output]).toEqual([2, expect.stringContaining(table)])
    expect(output).toContain(hint)
    expect(await files()).toEqual(before)
  })

  test.runIf(isLong)('writes an empty migration for statements that are written by hand', async () => {
    expect(await migrate('--custom', '--rebuild=menus')).toMatchObject({ code: 2 })
    const known = await files()
    const { code, output } = await migrate('--custom', '--name=triggers')
    expect([code, output]).toEqual([0, expect.stringContaining('_triggers.sql')])
    const [file = '', ...snapshots] = (await files()).filter((name) => !known.includes(name))
    expect([file, snapshots]).toEqual([
      expect.stringMatching(/^\d{4}_triggers\.sql$/),
      [expect.stringMatching(/^meta\/\d{4}_snapshot\.json$/)],
    ])
    expect((await read(file)).replaceAll(/^--.*$/gm, '').trim()).toBe('')
    expect(await readFile(checkout.path('src/app/home/migration-texts.ts'), 'utf8')).toContain(file)
    await writeFile(
      checkout.path('migrations', file),
      'CREATE TRIGGER `spare` AFTER DELETE ON `menus` BEGIN SELECT 1; END;\n',
    )
    const { before, after } = await upgrade()
    expect([after[0], after[1]?.length]).toEqual([before[0], (before[1]?.length ?? 0) + 1])
    expect(await readSchema()).not.toContain('`spare`')
    expect((await migrate('--name=again')).output).toContain('No migration was written')
    expect(await readSchema()).toContain('CREATE TRIGGER `spare`')
  })

  test.runIf(isLong)('fails where drizzle-kit cannot compare, although it then exits with 0', async () => {
    const meta = (name: string) => checkout.path('migrations', 'meta', name)
    const latest = await readFile(meta('0008_snapshot.json'), 'utf8')
    const { prevId } = JSON.parse(await readFile(meta('0007_snapshot.json'), 'utf8'))
    await writeFile(meta('0008_snapshot.json'), JSON.stringify({ ...JSON.parse(latest), prevId }))
    const { code, output } = await migrate('--name=lost')
    expect([code, output]).toEqual([1, expect.stringContaining('collision')])
  })

  test.runIf(isLong)('rebuilds a table without rowids as such a table', async () => {
    const states = "in ('pending', 'delivered', 'failed', 'cancelled')"
    await change('platform/db/schema/events.ts', states, states.replace(')', ", 'lost')"))
    expect(await migrate('--name=lost', '--rebuild', 'deliveries')).toMatchObject({ code: 0 })
    const { database } = await upgrade()
    const [table] = database.prepare(`select wr from pragma_table_list where name = 'deliveries'`).all()
    expect(table).toEqual({ wr: 1 })
    database.exec(`update deliveries set state = 'lost'`)
    expect(database.prepare('select count(*) as n from deliveries').get()).toEqual({ n: 3 })
  })

  test.runIf(isLong)('rebuilds a table to whose unique column another table refers', async () => {
    await change('platform/db/schema/releases/releases.ts', 'note: text(),', 'note: integer(),')
    expect(await migrate('--name=notes', '--rebuild', 'releases')).toMatchObject({ code: 0 })
    const { database } = await upgrade()
    expect(database.prepare('select count(*) as n from release_operations').get()).toEqual({ n: 3 })
    expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
  })

  test('rebuilds a named table and keeps its rows, links and triggers', async () => {
    await change(...check)
    expect(await migrate('--name=x', '--rebuild', 'menus', '--rebuild', 'products')).toMatchObject({ code: 2 })
    const { code, output } = await migrate('--name=looser', '--rebuild', 'products')
    expect([code, output]).toEqual([0, expect.stringContaining('_looser.sql')])
    const { database, before, after } = await upgrade()
    expect(after).toEqual(before)
    expect(before[0]?.every((count) => Number(count) > 0)).toBe(true)
    database.exec(`update products set images = '{}'`)
    expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
    expect((await migrate('--rebuild', 'products')).output).toContain('No change requires a rebuild of products')
  })
})
