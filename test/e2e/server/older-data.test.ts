import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { findSharedDatabase } from '../../drill/storage.ts'
import { createOwnServer, type OwnServer, runServer } from '../../support/own-server.ts'
import { dataFolder } from '../../support/service.ts'
import { findServer } from '../shared-service.ts'

const folder = join(import.meta.dirname, 'older-data')
const venueShape = z.object({
  id: z.string(),
  key: z.string(),
  home: z.enum(['object', 'd1']),
  code: z.string(),
  lists: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
})
const venues = venueShape.array().parse(JSON.parse(await readFile(join(folder, 'answers.json'), 'utf8')))

let server: OwnServer
let migrations: readonly string[]
/** Migrations of the data before the first start. */
let older: readonly string[]
const readMigrations = async () => {
  const database = new DatabaseSync(await findSharedDatabase(server.state), { readOnly: true })
  const rows = database.prepare('select name from d1_migrations order by name').all()
  database.close()
  return rows.map(({ name }) => String(name))
}
beforeAll(async () => {
  const program = await findServer()
  migrations = (await readdir('migrations')).filter((name) => name.endsWith('.sql')).toSorted()
  const data = await mkdtemp(join(dataFolder, 'older-'))
  server = await createOwnServer(program, { PUBLIC_BASE_URL: 'https://menu.example.com' }, data)
  const restored = await runServer(program, ['restore', join(folder, 'data.tar.gz'), '--data', data])
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('Restored') })
  older = await readMigrations()
  await server.start()
})
afterAll(() => server?.close())

test('an update applies the migrations that the data of an older release lacks', async () => {
  expect(migrations.slice(0, older.length)).toEqual(older)
  expect(older.length).toBeLessThan(migrations.length)
  expect(await readMigrations()).toEqual(migrations)
})

test.each(venues)('an update keeps all objects of a venue in $home, and they can be changed', async (venue) => {
  const path = `/merchants/${venue.id}`
  const call = (method: string, rest: string, json?: unknown) => server.call(method, path + rest, venue.key, json)
  for (const [resource, objects] of Object.entries(venue.lists)) {
    const { status, body } = await call('GET', `/${resource}?limit=100`)
    expect([resource, status, body.length]).toEqual([resource, 200, objects.length])
    // Releases add fields.
    expect(body).toMatchObject(objects)
  }
  const code = await fetch(server.origin + venue.code, { redirect: 'manual' })
  expect([code.status, code.headers.get('location')]).toEqual([302, expect.stringContaining(`/m/${venue.id}`)])
  const updated = await call('PUT', '/products/external/tea-1', { title: 'Black tea', price: 4 })
  expect(updated).toMatchObject({ status: 200, body: { title: 'Black tea', price: 4 } })
  for (const [resource, [first]] of Object.entries(venue.lists))
    expect([resource, (await call('DELETE', `/${resource}/${first?.id}`)).status]).toEqual([resource, 200])
  const made = await call('POST', '/products', { title: 'Coffee', price: 3 })
  expect(made.status).toBe(201)
  const quote = await call('POST', '/quotes', { items: [{ product: made.body.id, quantity: 2 }] })
  expect(quote).toMatchObject({ status: 200, body: { total: 6 } })
  expect((await server.call('GET', `/admin/merchants/${venue.id}`, server.adminToken)).body.home).toBe(venue.home)
})
