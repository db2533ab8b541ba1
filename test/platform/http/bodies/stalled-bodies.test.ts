import { afterEach, beforeEach, expect, test } from 'vitest'
import { largeWork } from '../../../../src/platform/http/bodies/byte-budget.ts'
import { stall } from '../../../../src/platform/http/bodies/read-chunks.ts'
import { createProduct } from '../../../storefront/media/picture-requests.ts'
import { createKey, createVenue } from '../../../support/api.ts'
import { check, csv, jsonl } from '../../../support/imports.ts'
import { pictures } from '../../../support/pictures.ts'

const { maxMs } = stall
beforeEach(() => {
  stall.maxMs = 300
})
afterEach(() => {
  stall.maxMs = maxMs
  expect([largeWork.leases, largeWork.bytes]).toEqual([0, 0])
})

const jsonType = { 'content-type': 'application/json' }
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A body that sends its first bytes, then nothing. */
const createStalled = (first: Uint8Array) => new ReadableStream<Uint8Array>({ start: (body) => body.enqueue(first) })

test.each([
  ['a picture', (path: string) => `${path}/images`, pictures.jpeg.slice(0, 10), { 'content-type': 'image/jpeg' }],
  ['a logo', () => '/logo', pictures.png.slice(0, 10), { 'content-type': 'image/png' }],
  ['an import', () => '/imports?resource=products', bytesOf('title,pri'), csv],
  ['an import with a key', () => '/imports', bytesOf('{"resource":'), { ...jsonl, 'idempotency-key': 'once' }],
  ['a batch', () => '/batch', bytesOf('{"operations":'), jsonType],
])('the body of %s that stalls is refused, and its memory is free', async (_, target, first, headers) => {
  const { venue: owner, path, images } = await createProduct()
  const scopes = ['merchant:write', 'products:write']
  const venue = { ...owner, ...(await createKey(owner.id, { mode: 'live', scopes })) }
  const before = await images()
  const refused = await venue.raw(target(path), createStalled(first), headers)
  expect([refused.status, refused.body.code]).toEqual([400, 'malformed_body'])
  expect([await images(), (await venue.get('/imports')).body]).toEqual([before, []])
})

test('batches hold what has arrived of their bodies, so those that stall leave room', async () => {
  const venue = await createVenue()
  // The first batch loads the code of batches, which may take longer than the stall.
  expect((await venue.post('/batch', { operations: [] })).status).toBe(422)
  stall.maxMs = 3_000
  const asking = Array.from({ length: 8 }, () => venue.raw('/batch', createStalled(bytesOf('{')), jsonType))
  for (let tries = 0; largeWork.bytes < 8 * 1024 * 1024 && tries < 250; tries++) await scheduler.wait(10)
  expect([largeWork.leases, largeWork.bytes]).toEqual([8, 8 * 1024 * 1024])
  const large = JSON.stringify({ operations: [], pad: 'x'.repeat(1_000_000) })
  expect((await venue.raw('/batch', large)).status).toBe(422)
  expect((await Promise.all(asking)).map(({ status }) => status)).toEqual(Array(8).fill(400))
})

test('a batch of a key that can only read is refused before it takes memory', async () => {
  const { id } = await createVenue()
  const key = await createKey(id, { mode: 'live', scopes: ['products:read', 'menus:read'] })
  const lease = largeWork.open(id)
  await lease.hold(largeWork.maxShare)
  const refused = await key.raw('/batch', JSON.stringify({ operations: [], pad: 'x'.repeat(70_000) }))
  lease.close()
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
})

test('HEAD of each response that is made as it is read leaves no lease', async () => {
  const venue = await createVenue()
  const { body: customer } = await venue.post('/customers', {
    firstName: 'Zoë',
    lastName: 'Núñez',
    email: 'zoe@example.com',
  })
  const checked = await check(venue, 'resource=products', 'title,price\n,x\n')
  for (const [path, accept] of [
    ['/export', '*/*'],
    [`/customers/${customer.id}/export`, '*/*'],
    [`/imports/${checked.id}/errors`, 'text/csv'],
  ] as const) {
    const { status } = await venue.request('HEAD', path, undefined, { accept })
    expect([path, status, largeWork.leases]).toEqual([path, 200, 0])
  }
})
