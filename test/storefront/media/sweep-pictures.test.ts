import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { sweepPictures } from '../../../src/storefront/media/sweep-pictures.ts'
import { adminToken, call, createVenue, type Venue } from '../../support/api.ts'
import { pictures } from '../../support/pictures.ts'
import { createGreyPng } from '../../support/png.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 10, 1)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
})
afterEach(async () => {
  vi.useRealTimers()
  await env.DB.exec('delete from pictures')
})

const sweepAfter = (days: number) => sweepPictures(env, directoryDatabase(env), startMs + days * dayMs)
const listFiles = async () => (await env.MEDIA.list({ prefix: 'pictures/' })).objects.map(({ key }) => key)

/** Deletes an object, and what would restore it, as the purge does after 30 days. */
async function removeForGood(venue: Venue, path: string) {
  await venue.remove(path)
  await env.DB.prepare('update events set kept = null where merchant_id = ?').bind(venue.id).run()
}

async function createPicture(file: BodyInit = pictures.jpeg) {
  const venue = await createVenue()
  const { body: product } = await venue.post('/products', { title: 'Flat white', price: 3.5 })
  const path = `/products/${product.id}`
  const type = { 'content-type': 'image/jpeg' }
  const upload = async () => venue.raw(`${path}/images`, file, type)
  const { body } = await upload()
  const [, name = ''] = body.url.split('/i/')
  const isStored = async () => (await listFiles()).includes(`pictures/${name}`)
  return { venue, path, url: body.url as string, upload, isStored }
}

describe('a picture', () => {
  test('is deleted 30 days after its last use was found to be over', async () => {
    const { venue, path, isStored } = await createPicture()
    expect(await sweepAfter(31)).toBe(0)
    expect(await isStored()).toBe(true)
    await venue.post(path, { images: [] })
    // Its use is checked each week: the 30 days begin at the first check that finds none.
    expect(await sweepAfter(37)).toBe(0)
    expect(await sweepAfter(38)).toBe(0)
    expect(await sweepAfter(67)).toBe(0)
    expect(await isStored()).toBe(true)
    expect(await sweepAfter(68)).toBe(1)
    expect(await isStored()).toBe(false)
  })

  test('that was never used is deleted 30 days after the upload', async () => {
    const { venue, path, isStored } = await createPicture()
    await removeForGood(venue, path)
    expect(await sweepAfter(29)).toBe(0)
    expect(await sweepAfter(30)).toBe(1)
    expect(await isStored()).toBe(false)
  })

  test('is used as the logo, until another takes its place', async () => {
    const { venue, path, url, isStored } = await createPicture()
    await removeForGood(venue, path)
    const setLogo = (logo: string | null) => call('POST', `/admin/merchants/${venue.id}`, adminToken, { logo })
    await setLogo(url)
    await sweepAfter(30)
    expect(await isStored()).toBe(true)
    await setLogo(null)
    await sweepAfter(37)
    expect(await sweepAfter(67)).toBe(1)
    expect(await isStored()).toBe(false)
  })

  test.each(['banner', 'icon'])('is used as the %s of a menu, of another mode too', async (field) => {
    const { venue, path, url } = await createPicture()
    await removeForGood(venue, path)
    await venue.post('/menus', { title: 'All day', branding: { [field]: url } })
    await env.DB.prepare('update pictures set test_mode = 1 where merchant_id = ?').bind(venue.id).run()
    for (const days of [30, 60, 90]) expect(await sweepAfter(days)).toBe(0)
  })

  test('is not used by another merchant', async () => {
    const { venue, path, url } = await createPicture()
    await removeForGood(venue, path)
    const other = await createVenue()
    await other.post('/products', { title: 'Copy', price: 1, images: [{ url }] })
    expect(await sweepAfter(30)).toBe(1)
  })

  test('uploaded again counts as used from then on', async () => {
    const { venue, path, upload } = await createPicture()
    await venue.post(path, { images: [] })
    vi.setSystemTime(startMs + 29 * dayMs)
    await upload()
    await venue.post(path, { images: [] })
    expect(await sweepAfter(58)).toBe(0)
    expect(await sweepAfter(59)).toBe(1)
  })
})

describe('a deletion', () => {
  test('takes the smaller files that were made', async () => {
    const { venue, path, isStored } = await createPicture(await createGreyPng(400, 20))
    const [name = ''] = (await listFiles()).filter((key) => key.endsWith('-400'))
    await Promise.all(['w112', 'w352'].map((width) => env.MEDIA.put(`${name}/${width}`, 'small')))
    await removeForGood(venue, path)
    expect(await sweepAfter(30)).toBe(1)
    expect(await isStored()).toBe(false)
    expect((await listFiles()).filter((key) => key.startsWith(name))).toEqual([])
  })

  test('that was cut off is continued, and not undone by an upload in between', async () => {
    const { venue, path, isStored, upload } = await createPicture()
    await venue.post(path, { images: [] })
    const fail = () => Promise.reject(new Error('down'))
    const MEDIA = new Proxy(env.MEDIA, {
      get: (bucket, name) => (name === 'delete' ? fail : Reflect.get(bucket, name)),
    })
    const cutOff = sweepPictures({ ...env, MEDIA }, directoryDatabase(env), startMs + 30 * dayMs)
    await expect(cutOff).rejects.toThrow('down')
    const { status, body, headers } = await upload()
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'busy', '5'])
    expect(await sweepAfter(30)).toBe(1)
    expect(await isStored()).toBe(false)
    expect((await upload()).status).toBe(201)
    expect(await isStored()).toBe(true)
  })

  test('takes all pictures that are due, in bounded steps', async () => {
    const { venue, path } = await createPicture()
    await removeForGood(venue, path)
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
        insert into pictures select merchant_id, test_mode, digest || i, widths, bytes, is_logo, unused_since, check_at, deleting, clean_at
        from pictures, n where merchant_id = ?`,
    )
      .bind(venue.id)
      .run()
    expect(await sweepAfter(30)).toBe(251)
    expect(await sweepAfter(30)).toBe(0)
  })
})
