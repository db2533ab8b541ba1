import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { largeWork, roomWait } from '../../../../src/platform/http/bodies/byte-budget.ts'
import { createForm, createProduct, upload } from '../../../storefront/media/picture-requests.ts'
import { createKey, createVenue, send } from '../../../support/api.ts'
import { csv, jsonl } from '../../../support/imports.ts'
import { pictures } from '../../../support/pictures.ts'

const { maxMs } = roomWait
afterEach(() => {
  roomWait.maxMs = maxMs
})

/** Takes all memory for large requests, in the name of other merchants. */
async function takeAll() {
  roomWait.maxMs = 60
  const leases = ['one', 'two'].map((holder) => largeWork.open(holder))
  await leases[0]?.hold(largeWork.maxShare)
  await leases[1]?.hold(largeWork.maxBytes - largeWork.maxShare)
  const release = () => {
    for (const lease of leases) lease.close()
  }
  onTestFinished(release)
  return release
}

const idempotencyKey = { 'idempotency-key': 'once' }
const csvType = csv
const jsonType = { 'content-type': 'application/json' }

describe('each large request, where there is no room,', () => {
  test.each([
    ['a picture', (path: string) => [`${path}/images`, pictures.jpeg, { 'content-type': 'image/jpeg' }] as const, 201],
    ['a form', (path: string) => [`${path}/images`, createForm([['image', pictures.png]]), {}] as const, 201],
    ['a logo', () => ['/logo', pictures.png, { 'content-type': 'image/png' }] as const, 201],
    ['an import', () => ['/imports?resource=products', 'title,price\nTea,1\n', csvType] as const, 202],
    [
      'an import with a key',
      () => ['/imports?resource=products', 'title,price\nTea,1\n', { ...csvType, ...idempotencyKey }] as const,
      202,
    ],
    ['a batch', () => ['/batch', JSON.stringify({ operations: [], pad: 'x'.repeat(70_000) }), jsonType] as const, 422],
  ])('%s gets 503 with Retry-After and has no effect; small ones pass', async (_, request, status) => {
    const { venue: owner, path, images } = await createProduct()
    const scopes = ['merchant:write', 'products:read', 'products:write']
    const venue = { ...owner, ...(await createKey(owner.id, { mode: 'live', scopes })) }
    const stored = async () => [await images(), (await owner.get('/imports')).body]
    const before = await stored()
    const release = await takeAll()
    const [target, body, headers] = request(path)
    const ask = () => venue.raw(target, body, headers)
    const refused = await ask()
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '5'])
    expect(await stored()).toEqual(before)
    expect((await venue.post(path, { price: 4 })).status).toBe(200)
    release()
    expect((await ask()).status).toBe(status)
    expect(largeWork.leases).toBe(0)
  })

  test('an export gets 503 before it begins', async () => {
    const venue = await createVenue()
    const release = await takeAll()
    const refused = await venue.get('/export')
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '5'])
    release()
    expect((await venue.get('/export')).status).toBe(200)
    expect(largeWork.leases).toBe(0)
  })
})

test('an import with an Idempotency-Key is stored while it arrives, and repeated by its content', async () => {
  const venue = await createVenue()
  const description = 'x'.repeat(1_000)
  const line = (n: number) =>
    `${JSON.stringify({ resource: 'products', object: { title: `Tea ${n}`, price: 1, description } })}\n`
  const lines = (from: number, to: number) =>
    new TextEncoder().encode(Array.from({ length: to - from }, (_, n) => line(from + n)).join(''))
  const countRows = () =>
    env.DB.prepare('select count(*) as count from import_chunks where merchant_id = ?').bind(venue.id).first('count')
  const between: unknown[] = []
  const body = (last: number) =>
    new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(lines(0, 600))
        for (let tries = 0; Number(await countRows()) < 2 && tries < 100; tries++) await scheduler.wait(10)
        between.push(await countRows())
        controller.enqueue(lines(600, last))
        controller.close()
      },
    })
  const headers = { ...jsonl, ...idempotencyKey }
  const first = await venue.raw('/imports', body(900), headers)
  expect([first.status, first.body.rows]).toEqual([202, 900])
  expect(between).toEqual([2])
  const again = await venue.raw('/imports', lines(0, 900), headers)
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([202, first.body, 'true'])
  const other = await venue.raw('/imports', lines(0, 899), headers)
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await venue.get('/imports')).body).toHaveLength(1)
  expect(largeWork.leases).toBe(0)
})

test('pictures of a form are stored as those that are sent alone', async () => {
  const { venue, path } = await createProduct()
  for (const file of Object.values(pictures)) {
    const alone = await upload(venue, `${path}/images`, file)
    const inForm = await upload(venue, `${path}/images`, createForm([['image', file]]))
    expect([inForm.status, inForm.body]).toEqual([201, alone.body])
    expect((await send(new URL(alone.body.url).pathname)).status).toBe(200)
  }
  expect(largeWork.leases).toBe(0)
})
