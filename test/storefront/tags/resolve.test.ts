import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adminToken, call, createKey, createVenue } from '../../support/api.ts'
import { loadCopy } from '../../support/module-copy.ts'
import { broken, createTestWorker, passTime, restoreTime } from '../../support/test-worker.ts'

const live = 'https://live.example/o'
let worker = createTestWorker()
let venue = await createVenue({ orderingUrl: live })
beforeEach(async () => {
  worker = createTestWorker()
  venue = await createVenue({ orderingUrl: live })
})
afterEach(restoreTime)

const create = async (body: object = {}) => {
  const { body: tag } = await worker.call('POST', venue.path('/tags'), venue.key, body)
  return { ...tag, code: tag.alias[0] }
}
const update = (id: string, body: object) => worker.call('POST', venue.path(`/tags/${id}`), venue.key, body)
const move = (body: object) => worker.call('POST', `/admin/merchants/${venue.id}`, adminToken, body)
/** A tag whose copies are where they should be, and of which this isolate knows nothing any more. */
async function createCold(body: object = {}) {
  const tag = await create(body)
  await worker.fetch(`/t/${tag.code}`)
  await worker.settle()
  await worker.consume(...worker.used().sent)
  passTime(5)
  worker.used()
  return tag
}
/** Scans as a robot, whose scans are not counted. */
async function scan(name: string) {
  const { status, headers } = await worker.fetch(`/t/${name}`, { headers: { 'user-agent': 'curl/8.5.0' } })
  return { status, location: headers.get('location') }
}

describe('the cost of a scan', () => {
  test('is nothing for a cached tag, and otherwise one read of KV for the tag and its merchant', async () => {
    const tag = await createCold()
    await scan(tag.code)
    expect(worker.used()).toMatchObject({ reads: [`t:${tag.code}`, `m:${venue.id}`], trips: 0 })
    for (let n = 0; n < 20; n++) expect((await scan(tag.code)).status).toBe(302)
    await worker.settle()
    expect(worker.used()).toMatchObject({ reads: [], writes: [], trips: 0 })
  })

  test('is one read of KV if the merchant is cached', async () => {
    const [first, second] = [await createCold(), await create()]
    await scan(first.code)
    worker.used()
    await scan(second.code)
    expect(worker.used()).toMatchObject({ reads: [`t:${second.code}`], trips: 0 })
  })

  test('is one D1 round trip if KV misses; KV is then filled', async () => {
    const tag = await create()
    worker.failures.read = async () => null
    worker.used()
    await scan(tag.code)
    await worker.settle()
    const { reads, trips, sent } = worker.used()
    expect([reads, trips]).toEqual([[`t:${tag.code}`], 1])
    expect(sent).toEqual(
      expect.arrayContaining([
        { kind: 'tag', names: [tag.code] },
        { kind: 'merchant', merchant: venue.id },
      ]),
    )
    worker.failures.read = undefined
    await worker.consume(...sent)
    passTime(5)
    worker.used()
    expect((await scan(tag.code)).location).toBe(`${live}?tag=${tag.id}`)
    expect(worker.used()).toMatchObject({ trips: 0 })
  })

  test('depends on the time of the read, not of the last scan', async () => {
    const tag = await createCold()
    await scan(tag.code)
    for (let n = 0; n < 4; n++) {
      passTime(1)
      await scan(tag.code)
    }
    await worker.settle()
    worker.used()
    passTime(0.9)
    await scan(tag.code)
    expect(worker.used().reads).toEqual([])
    passTime(0.2)
    await scan(tag.code)
    expect(worker.used().reads).toEqual([`t:${tag.code}`, `m:${venue.id}`])
  })

  test('depends on the oldest part of the entry', async () => {
    const [first, second] = [await createCold(), await createCold()]
    await scan(first.code)
    passTime(4)
    await scan(second.code)
    worker.used()
    passTime(1)
    await scan(second.code)
    expect(worker.used().reads).toContain(`m:${venue.id}`)
  })

  test('is nothing for a cached unknown name, until a tag has it', async () => {
    const name = `table-${crypto.randomUUID()}`
    expect((await scan(name)).status).toBe(404)
    expect(worker.used()).toMatchObject({ reads: [`t:${name}`], trips: 2, sent: [] })
    expect((await scan(name)).status).toBe(404)
    expect(worker.used()).toMatchObject({ reads: [], trips: 0 })
    const older = await worker.fetch(`/admin/merchants/${venue.id}/tags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ alias: [name] }),
    })
    expect(await scan(name)).toEqual({ status: 302, location: `${live}?tag=${older.body.id}` })
  })

  test('is the same for every name of a tag, each with its own copy', async () => {
    const alias = crypto.randomUUID()
    const { body: older } = await call('POST', `/admin/merchants/${venue.id}/tags`, adminToken, { alias: [alias] })
    worker.failures.read = async () => null
    await scan(alias)
    await worker.settle()
    worker.failures.read = undefined
    await worker.consume(...worker.used().sent.filter((message) => JSON.stringify(message).includes('kind')))
    expect(worker.used().writes).toContain(`t:${alias}`)
    passTime(5)
    expect((await scan(alias)).location).toBe(`${live}?tag=${older.id}`)
    expect(worker.used()).toMatchObject({ trips: 0 })
  })

  test('includes KV for a new tag before the create responds', async () => {
    const tag = await create()
    expect(worker.used().writes).toEqual([`t:${tag.code}`, `t:${tag.id}`])
  })

  test('includes KV for a new merchant, so that the first scan reads only KV', async () => {
    const made = await worker.call('POST', '/admin/merchants', adminToken, { name: 'New', orderingUrl: live })
    expect([made.status, worker.used().writes]).toEqual([201, [`m:${made.body.id}`]])
    const key = await createKey(made.body.id, { mode: 'live' })
    const { body: tag } = await worker.call('POST', key.path('/tags'), key.key, {})
    passTime(6)
    worker.used()
    expect(await scan(tag.alias[0])).toEqual({ status: 302, location: `${live}?tag=${tag.id}` })
    expect(worker.used()).toMatchObject({ reads: [`t:${tag.alias[0]}`, `m:${made.body.id}`], trips: 0 })
  })

  test('includes no KV write if the create of a merchant fails', async () => {
    const refused = await worker.call('POST', '/admin/merchants', adminToken, { name: '' })
    const listed = await worker.call('GET', '/admin/merchants?limit=1', adminToken)
    expect([refused.status, listed.status, worker.used()]).toMatchObject([422, 200, { writes: [], sent: [] }])
  })
})

describe('a change', () => {
  test('of a tag applies to the next scan', async () => {
    venue = await createVenue({
      orderingUrl: 'https://o.example/{metadata.table}',
      sandboxUrl: 'https://test.example/',
    })
    const tag = await create({ metadata: [{ key: 'table', value: '1' }] })
    for (let n = 0; n < 10; n++) {
      await update(tag.id, { metadata: [{ key: 'table', value: `${n}` }] })
      expect((await scan(tag.code)).location).toBe(`https://o.example/${n}?tag=${tag.id}`)
    }
    await update(tag.id, { testMode: true })
    expect((await scan(tag.code)).location).toBe(`https://test.example/?tag=${tag.id}`)
    await worker.call('DELETE', venue.path(`/tags/${tag.id}`), venue.key)
    expect((await scan(tag.code)).status).toBe(410)
    expect((await scan(tag.id)).status).toBe(410)
  })

  test('of a merchant applies to the next scan of its own tags only', async () => {
    const [tag, other] = [await createCold(), await create()]
    await scan(tag.code)
    await move({ orderingUrl: 'https://new.example/' })
    expect((await scan(tag.code)).location).toBe(`https://new.example/?tag=${tag.id}`)
    expect((await scan(other.code)).location).toBe(`https://new.example/?tag=${other.id}`)
    await move({ orderingUrl: null })
    expect((await scan(tag.code)).location).toBe(`/m/${venue.id}?tag=${tag.id}`)
    passTime(5)
    expect((await scan(tag.code)).location).toBe(`/m/${venue.id}?tag=${tag.id}`)
  })

  test('reaches other isolates through KV', async () => {
    const tag = await createCold({ metadata: [{ key: 'table', value: '1' }] })
    const { serve: elsewhere } = await loadCopy(() => import('../../../src/app/app.ts'))
    expect((await worker.fetch(`/t/${tag.code}`, {}, elsewhere)).status).toBe(302)
    await worker.call('DELETE', venue.path(`/tags/${tag.id}`), venue.key)
    expect((await worker.fetch(`/t/${tag.code}`, {}, elsewhere)).status).toBe(302)
    passTime(5)
    worker.used()
    expect((await worker.fetch(`/t/${tag.code}`, {}, elsewhere)).status).toBe(410)
    expect(worker.used()).toMatchObject({ reads: [`t:${tag.code}`], trips: 0 })
  })
})

describe('names of older tags', () => {
  const take = (alias: string[]) => call('POST', `/admin/merchants/${venue.id}/tags`, adminToken, { alias })
  /** Sixteen characters that could be a code of ours. */
  const name = () => crypto.randomUUID().replaceAll('-', '').slice(0, 15).concat('b')

  test.each(['old-table-7', name()])('like %s are read from KV while D1 fails', async (alias) => {
    const { body } = await take([alias])
    await worker.consume({ kind: 'tag', names: [alias] }, { kind: 'merchant', merchant: venue.id })
    passTime(5)
    worker.failures.database = broken
    expect((await scan(alias)).location).toBe(`${live}?tag=${body.id}`)
  })

  test('that look like codes and differ only in case belong to different tags', async () => {
    const small = name()
    const large = small.toUpperCase()
    const [first, second] = [await take([small]), await take([large])]
    for (let n = 0; n < 2; n++) {
      expect((await scan(large)).location).toBe(`${live}?tag=${second.body.id}`)
    }
    const mixed = name()
    const [third, fourth] = [await take([mixed]), await take([`${mixed.slice(0, 15)}B`])]
    for (let n = 0; n < 2; n++) {
      expect((await scan(mixed)).location).toBe(`${live}?tag=${third.body.id}`)
      expect((await scan(`${mixed.slice(0, 15)}B`)).location).toBe(`${live}?tag=${fourth.body.id}`)
      expect((await scan(mixed.toUpperCase())).status).toBe(404)
    }
    expect(first.status).toBe(201)
  })
})
