import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adminToken, call, createKey, createVenue } from '../support/api.ts'
import { createEdge, passTime, restoreTime } from '../support/kv.ts'
import { loadCopy } from '../support/module-copy.ts'

const live = 'https://live.example/o'
let edge = createEdge()
let venue = await createVenue({ orderingUrl: live })
beforeEach(async () => {
  edge = createEdge()
  venue = await createVenue({ orderingUrl: live })
})
afterEach(restoreTime)

const create = async (body: object = {}) => {
  const { body: tag } = await edge.call('POST', venue.path('/tags'), venue.key, body)
  return { ...tag, code: tag.alias[0] }
}
const update = (id: string, body: object) => edge.call('POST', venue.path(`/tags/${id}`), venue.key, body)
const move = (body: object) => edge.call('POST', `/admin/merchants/${venue.id}`, adminToken, body)
/** A tag whose copies are where they should be, and of which this isolate knows nothing any more. */
async function createCold(body: object = {}) {
  const tag = await create(body)
  await edge.fetch(`/t/${tag.code}`)
  await edge.settle()
  await edge.consume(...edge.used().sent)
  passTime(5)
  edge.used()
  return tag
}
async function scan(name: string) {
  const { status, headers } = await edge.fetch(`/t/${name}`)
  return { status, location: headers.get('location') }
}

describe('the cost of a scan', () => {
  test('is nothing for a cached tag, and otherwise one read of KV for the tag and its merchant', async () => {
    const tag = await createCold()
    await scan(tag.code)
    expect(edge.used()).toMatchObject({ reads: [`t:${tag.code}`, `m:${venue.id}`], trips: 0 })
    for (let n = 0; n < 20; n++) expect((await scan(tag.code)).status).toBe(302)
    await edge.settle()
    expect(edge.used()).toMatchObject({ reads: [], writes: [], trips: 0 })
  })

  test('is one read of KV if the merchant is cached', async () => {
    const [first, second] = [await createCold(), await create()]
    await scan(first.code)
    edge.used()
    await scan(second.code)
    expect(edge.used()).toMatchObject({ reads: [`t:${second.code}`], trips: 0 })
  })

  test('is one D1 round trip if KV misses; KV is then filled', async () => {
    const tag = await create()
    edge.failures.read = async () => null
    edge.used()
    await scan(tag.code)
    await edge.settle()
    const { reads, trips, sent } = edge.used()
    expect([reads, trips]).toEqual([[`t:${tag.code}`], 1])
    expect(sent).toEqual(
      expect.arrayContaining([
        { kind: 'tag', names: [tag.code] },
        { kind: 'merchant', merchant: venue.id },
      ]),
    )
    edge.failures.read = undefined
    await edge.consume(...sent)
    passTime(5)
    edge.used()
    expect((await scan(tag.code)).location).toBe(`${live}?tag=${tag.id}`)
    expect(edge.used()).toMatchObject({ trips: 0 })
  })

  test('depends on the time of the read, not of the last scan', async () => {
    const tag = await createCold()
    await scan(tag.code)
    for (let n = 0; n < 4; n++) {
      passTime(1)
      await scan(tag.code)
    }
    await edge.settle()
    edge.used()
    passTime(0.9)
    await scan(tag.code)
    expect(edge.used().reads).toEqual([])
    passTime(0.2)
    await scan(tag.code)
    expect(edge.used().reads).toEqual([`t:${tag.code}`, `m:${venue.id}`])
  })

  test('depends on the oldest part of the entry', async () => {
    const [first, second] = [await createCold(), await createCold()]
    await scan(first.code)
    passTime(4)
    await scan(second.code)
    edge.used()
    passTime(1)
    await scan(second.code)
    expect(edge.used().reads).toContain(`m:${venue.id}`)
  })

  test('is nothing for a cached unknown name, until a tag has it', async () => {
    const name = `table-${crypto.randomUUID()}`
    expect((await scan(name)).status).toBe(404)
    expect(edge.used()).toMatchObject({ reads: [`t:${name}`], trips: 1, sent: [] })
    expect((await scan(name)).status).toBe(404)
    expect(edge.used()).toMatchObject({ reads: [], trips: 0 })
    const older = await edge.fetch(`/admin/merchants/${venue.id}/tags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ alias: [name] }),
    })
    expect(await scan(name)).toEqual({ status: 302, location: `${live}?tag=${older.body.id}` })
  })

  test('is the same for every name of a tag, each with its own copy', async () => {
    const alias = crypto.randomUUID()
    const { body: older } = await call('POST', `/admin/merchants/${venue.id}/tags`, adminToken, { alias: [alias] })
    edge.failures.read = async () => null
    await scan(alias)
    await edge.settle()
    edge.failures.read = undefined
    await edge.consume(...edge.used().sent.filter((message) => JSON.stringify(message).includes('kind')))
    expect(edge.used().writes).toContain(`t:${alias}`)
    passTime(5)
    expect((await scan(alias)).location).toBe(`${live}?tag=${older.id}`)
    expect(edge.used()).toMatchObject({ trips: 0 })
  })

  test('includes KV for a new tag before the create responds', async () => {
    const tag = await create()
    expect(edge.used().writes).toEqual([`t:${tag.code}`, `t:${tag.id}`])
  })

  test('includes KV for a new merchant, so that the first scan reads only KV', async () => {
    const made = await edge.call('POST', '/admin/merchants', adminToken, { name: 'New', orderingUrl: live })
    expect([made.status, edge.used().writes]).toEqual([201, [`m:${made.body.id}`]])
    const key = await createKey(made.body.id, { mode: 'live' })
    const { body: tag } = await edge.call('POST', key.path('/tags'), key.key, {})
    passTime(6)
    edge.used()
    expect(await scan(tag.alias[0])).toEqual({ status: 302, location: `${live}?tag=${tag.id}` })
    expect(edge.used()).toMatchObject({ reads: [`t:${tag.alias[0]}`, `m:${made.body.id}`], trips: 0 })
  })

  test('includes no KV write if the create of a merchant fails', async () => {
    const refused = await edge.call('POST', '/admin/merchants', adminToken, { name: '' })
    const listed = await edge.call('GET', '/admin/merchants?limit=1', adminToken)
    expect([refused.status, listed.status, edge.used()]).toMatchObject([422, 200, { writes: [], sent: [] }])
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
    await edge.call('DELETE', venue.path(`/tags/${tag.id}`), venue.key)
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
    const { serve: elsewhere } = await loadCopy(() => import('../../src/app.ts'))
    expect((await edge.fetch(`/t/${tag.code}`, {}, elsewhere)).status).toBe(302)
    await edge.call('DELETE', venue.path(`/tags/${tag.id}`), venue.key)
    expect((await edge.fetch(`/t/${tag.code}`, {}, elsewhere)).status).toBe(302)
    passTime(5)
    edge.used()
    expect((await edge.fetch(`/t/${tag.code}`, {}, elsewhere)).status).toBe(410)
    expect(edge.used()).toMatchObject({ reads: [`t:${tag.code}`], trips: 0 })
  })
})

describe('names of older tags', () => {
  const take = (alias: string[]) => call('POST', `/admin/merchants/${venue.id}/tags`, adminToken, { alias })
  /** Sixteen characters that could be a code of ours. */
  const name = () => crypto.randomUUID().replaceAll('-', '').slice(0, 15).concat('b')

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
