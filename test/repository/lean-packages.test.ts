import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'
import { leanPackages } from '../../tools/cli/build/lean-packages.ts'

const project = resolve(import.meta.dirname, '../..')
/** Each kind of statement that the service builds, and a value that a schema falls back to. */
const source = `
  import { and, count, desc, eq, sql } from 'drizzle-orm'
  import * as z from 'zod/mini'
  import { compile, param } from './src/platform/db/database.ts'
  import { columnParam, db } from './src/platform/db/query.ts'
  import { eventTable as events } from './src/platform/db/schema/events.ts'
  import { productTable as products } from './src/platform/db/schema/resources/products.ts'
  const page = db.select({ id: events.id, size: sql\`1\`.as('size') }).from(events).limit(9).as('page')
  const isOfMerchant = eq(products.merchantId, param('merchantId'))
  const insert = db.insert(products).select(db.select().from(products).where(isOfMerchant))
  const named = { id: param('id'), merchantId: param('merchantId'), testMode: false, title: 'Tea', price: columnParam(products.price, 'price') }
  export const statements = [
    db.select().from(products).where(isOfMerchant).orderBy(desc(products.id)).limit(sql\`9\`),
    db.selectDistinct({ id: page.id }).from(page).crossJoin(products).where(eq(products.id, page.id)),
    db.select({ id: events.id, n: count() }).from(events).leftJoin(products, eq(products.id, events.id)).groupBy(events.id),
    db.select({ id: events.id }).from(events).union(db.select({ id: products.id }).from(products)),
    insert,
    db.insert(products).values(named).onConflictDoUpdate({ target: products.id, set: { title: sql\`excluded.title\` } }).returning({ id: products.id }),
    db.insert(products).values(named).onConflictDoNothing(),
    db.update(products).set({ title: columnParam(products.title, 'title') }).where(and(isOfMerchant, eq(products.price, 1))).returning(),
    db.delete(products).where(isOfMerchant).returning({ id: products.id }),
  ].map((query) => compile(query)).map(({ sql, parameters }) => ({ sql, names: parameters.map(({ name }) => name) }))
  export const caught = [z.parse(z.catch(z.string(), 'none'), 1), z.parse(z.catch(z.int(), () => 7), 'x')]`

async function run(plugins: Plugin[]): Promise<unknown> {
  const { outputFiles } = await build({
    bundle: true,
    format: 'esm',
    write: false,
    external: ['cloudflare:*'],
    tsconfigRaw: {},
    stdin: { contents: source, resolveDir: project, loader: 'ts' },
    plugins,
  })
  const code = outputFiles.map(({ text }) => text).join('')
  const { statements, caught } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
  return { statements, caught }
}

test('statements and schemas are the same without the parts of packages that the Worker leaves out', async () => {
  const whole = await run([])
  expect(whole).toMatchObject({ statements: { length: 9 }, caught: ['none', 7] })
  expect(await run([leanPackages])).toEqual(whole)
})

test('no code calls the parts that fail only when they are called', async () => {
  const source = join(project, 'src')
  const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const texts = await Promise.all(files.map((name) => readFile(join(source, name), 'utf8')))
  expect(texts.length).toBeGreaterThan(500)
  // `mount` of a Hono application, and tables whose columns a function declares.
  expect(texts.flatMap((text) => text.match(/\.mount\(|sqliteTable\(\s*'[^']*',\s*\(/g) ?? [])).toEqual([])
})
