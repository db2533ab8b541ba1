import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type ClientOptions, ConnectionError, createClient } from '../../packages/client/src/client.ts'
import { createVenue, origin } from '../support/api.ts'

type Fetch = NonNullable<ClientOptions['fetch']>
const service: Fetch = (url, init) => exports.default.fetch(new Request(url, init))

/** A client with its own venue, and the requests that it sends. */
async function connect(fetch: Fetch = service) {
  const { id: merchantId, key } = await createVenue()
  const sent: string[] = []
  const spied: Fetch = (url, init) => {
    sent.push(`${init.method} ${new URL(url).pathname.split('/').slice(3).join('/')}`)
    return fetch(url, init)
  }
  return { client: createClient({ origin, merchantId, key, fetch: spied }), sent }
}

async function all<Item>(list: AsyncIterable<Item>) {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

test('an upsert creates an object, and then updates it', async () => {
  const { client } = await connect()
  const created = await client.upsert('products', 'ART/1', { title: 'Tea', price: 2 })
  const updated = await client.upsert('products', 'ART/1', { price: 3 })
  expect(updated).toEqual({ ...created, price: 3, updatedAt: expect.any(Number) })
  await expect(
    client.upsert('products', 'ART/1', { title: 'Tea', price: 4 }, { ifNoneMatch: '*' }),
  ).rejects.toMatchObject({ status: 412 })
})

test('a batch returns a result for each operation', async () => {
  const { client } = await connect()
  const { results } = await client.batch(
    [
      { op: 'create', resource: 'products', ref: '#latte', body: { title: 'Latte', price: '3.50' } },
      { op: 'create', resource: 'menus', body: { title: 'Day', sections: [{ title: 'Coffee', items: ['#latte'] }] } },
    ],
    { objects: true },
  )
  expect(results.map(({ status }) => status)).toEqual([201, 201])
  expect(results[1]?.object).toMatchObject({ sections: [{ items: [results[0]?.id] }] })
  await expect(
    client.batch([{ op: 'update', resource: 'products', id: 'prod_none', body: { price: 1 } }]),
  ).rejects.toMatchObject({ code: 'batch_failed', errors: [{ pointer: '/operations/0', code: 'not_found' }] })
})

test('a catalogue is synchronised: only differences are sent, and a second call changes nothing', async () => {
  const { client, sent } = await connect()
  const own = await client.products.create({ title: 'Own', price: 1 })
  const rows = Array.from({ length: 501 }, (_, at) => ({ number: `A${at}`, title: `Dish ${at}`, price: `${at}.50` }))
  const options = {
    resource: 'products' as const,
    externalId: ({ number }: (typeof rows)[number]) => number,
    fields: ({ title, price }: (typeof rows)[number]) => ({ title, price }),
    deleteMissing: true,
  }
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: [] }
  expect(await client.syncCatalogue(rows, options)).toEqual({ ...counts, created: 501 })
  expect(sent.filter((request) => request === 'POST batch')).toHaveLength(2)
  sent.length = 0
  expect(await client.syncCatalogue(rows, options)).toEqual({ ...counts, unchanged: 501 })
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([])
  const changed = rows.slice(1).map((row, at) => ({ ...row, ...(at === 0 ? { price: '99' } : {}) }))
  expect(await client.syncCatalogue(changed, options)).toEqual({ ...counts, updated: 1, unchanged: 499, deleted: 1 })
  expect(await client.products.retrieve(own.id)).toEqual(own)
  expect((await all(client.products.list({ q: 'dish 1 ' }))).length).toBeGreaterThan(0)

  const invalid = await client.syncCatalogue([{ number: 'B1', title: '', price: '1' }], {
    ...options,
    deleteMissing: false,
  })
  expect(invalid).toMatchObject({ created: 0, failed: [{ externalId: 'B1', problem: { status: 422 } }] })
  await expect(client.syncCatalogue([...rows, ...rows.slice(0, 1)], options)).rejects.toThrow(TypeError)
})

test('rows that name objects by external id count as unchanged the second time', async () => {
  const { client } = await connect()
  await client.upsert('modifiers', 'MILK', { title: 'Milk', instructions: '' })
  const row = { number: 'A', title: 'Latte', price: 3, modifiers: [{ externalId: 'MILK' }] }
  const options = {
    resource: 'products' as const,
    externalId: ({ number }: typeof row) => number,
    fields: ({ number: _, ...fields }: typeof row) => fields,
  }
  expect(await client.syncCatalogue([row], options)).toMatchObject({ created: 1 })
  expect(await client.syncCatalogue([row], options)).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
})

test('an export yields every object with its external id', async () => {
  const { client } = await connect()
  const tea = await client.upsert('products', 'TEA', { title: 'Tea', price: 2 })
  const milk = await client.modifiers.create({ title: 'Milk', instructions: '' })
  const copy = await client.export(['products', 'modifiers'])
  expect(copy.header.lastEvent).toMatch(/^evt_/)
  expect(await all(copy)).toEqual(
    expect.arrayContaining([
      { resource: 'products', externalId: 'TEA', object: tea },
      { resource: 'modifiers', object: milk },
    ]),
  )
})

test('an export that ends early throws, unless a signal ended it', async () => {
  const header = '{"export":{"merchantId":"mer_1","testMode":false,"takenAt":1}}\n'
  const line = '{"resource":"products","object":{"id":"prod_1"}}\n'
  for (const text of ['', header, header + line, header + line.slice(0, 20), header.slice(0, 20)]) {
    const client = createClient({ origin, merchantId: 'mer_1', key: 'sk', fetch: async () => new Response(text) })
    await expect(client.export(['products']).then(all)).rejects.toThrow(ConnectionError)
  }
  const controller = new AbortController()
  let end = () => {}
  const fetch = async () => {
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(header + line)),
      pull(stream) {
        end()
        stream.error(new TypeError('connection cut'))
      },
    })
    return new Response(body)
  }
  const client = createClient({ origin, merchantId: 'mer_1', key: 'sk', fetch })
  const error = await client
    .export(['products'], { signal: controller.signal })
    .then(all)
    .catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ cause: new TypeError('connection cut') })
  end = () => controller.abort(new Error('enough'))
  await expect(client.export(['products'], { signal: controller.signal }).then(all)).rejects.toThrow('enough')
})

test('an import of a mapped file shows what it deletes, and needs its number and the revision that was shown', async () => {
  const { client } = await connect()
  const file = (...ids: string[]) => `externalId;Artikel;Preis\n${ids.map((id) => `${id};Tee ${id};1,50\n`).join('')}`
  await client.import('products', file('A', 'B', 'C'), { mapping: 'auto', apply: true })
  const options = { mapping: 'auto', delete: 'missing' } as const
  const limited = await client.import('products', file('A'), { ...options, apply: true, confirmDeletes: 1 })
  expect([limited.state, limited.check?.deletes]).toEqual(['ready', 2])
  expect(await all(client.imports.deletions(limited.id))).toMatchObject([{ title: 'Tee B' }, { title: 'Tee C' }])
  await expect(client.imports.apply(limited.id)).rejects.toMatchObject({ code: 'confirm_required' })
  const { revision } = await client.imports.map(limited.id, { menu: 'none' })
  const stale = client.imports.apply(limited.id, { confirmDeletes: 2, revision: revision - 1 })
  await expect(stale).rejects.toMatchObject({ code: 'mapping_changed' })
  const done = await client.imports.apply(limited.id, { confirmDeletes: 2, revision })
  expect([done.state, done.deleted]).toEqual(['done', 2])
})
