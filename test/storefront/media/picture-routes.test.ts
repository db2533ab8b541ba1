import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/platform/http/fields.ts'
import { createKey, createVenue, send, toIssues } from '../../support/api.ts'
import { createAvif } from '../../support/large/pictures.ts'
import { pictures } from '../../support/pictures.ts'
import { createForm, createProduct, fetchPicture, upload } from './picture-requests.ts'

describe('an uploaded picture', () => {
  test('is added to the product, with an event, and served', async () => {
    const { venue, path, images } = await createProduct()
    const { status, headers, body } = await upload(venue, `${path}/images`)
    expect([status, body]).toEqual([201, { url: expect.any(String), width: 20, height: 40 }])
    expect(body.url).toMatch(/^https:\/\/menu\.example\/i\/[0-9a-z]{32}-20$/)
    expect(headers.get('location')).toBe(body.url)
    expect(await images()).toEqual([body.url])
    const events = await venue.get('/events?types=product.updated')
    expect(events.body.map(({ data }: { data: object }) => data)).toMatchObject([{ images: [{ url: body.url }] }])

    const served = await fetchPicture(body.url)
    expect(served.status).toBe(200)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const etag = served.headers.get('etag') ?? ''
    expect((await fetchPicture(body.url, { 'if-none-match': etag })).status).toBe(304)
    // From the cache.
    expect((await fetchPicture(body.url)).headers.get('content-type')).toBe('image/jpeg')
  })

  test('is judged by its content', async () => {
    const { venue, path } = await createProduct()
    const { body } = await upload(venue, `${path}/images`, pictures.png)
    expect((await fetchPicture(body.url)).headers.get('content-type')).toBe('image/png')
  })

  test('sent again is neither stored nor added again', async () => {
    const { venue, path, images } = await createProduct()
    const [first, second] = [await upload(venue, `${path}/images`), await upload(venue, `${path}/images`)]
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(await images()).toHaveLength(1)
  })

  test('has another address with each merchant and mode', async () => {
    const [a, b] = [await createProduct(), await createProduct({ mode: 'test' })]
    const urls = await Promise.all(
      [a, b].map(async ({ venue, path }) => (await upload(venue, `${path}/images`)).body.url),
    )
    expect(new Set(urls).size).toBe(2)
  })

  test('follows the pictures that another request adds at the same time', async () => {
    const { venue, path, images } = await createProduct()
    await Promise.all(Object.values(pictures).map((file) => upload(venue, `${path}/images`, file)))
    expect(new Set(await images()).size).toBe(6)
  })

  test('is stored once for each Idempotency-Key', async () => {
    const { venue, path, images } = await createProduct()
    const headers = { 'idempotency-key': 'k1' }
    const form = () => createForm([['image', pictures.webp]])
    const first = await upload(venue, `${path}/images`, form(), headers)
    // The boundary of a form differs each time.
    const again = await upload(venue, `${path}/images`, form(), headers)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await upload(venue, `${path}/images`, pictures.png, headers)).body.code).toBe('idempotency_key_reused')
    expect(await images()).toEqual([first.body.url])
  })

  test('is the banner or icon of a menu', async () => {
    const venue = await createVenue()
    const { body: menu } = await venue.post('/menus', {
      title: 'All day',
      branding: { icon: 'https://a.example/i.png' },
    })
    const banner = await upload(venue, `/menus/${menu.id}/banner`)
    expect((await venue.get(`/menus/${menu.id}`)).body.branding).toEqual({
      icon: 'https://a.example/i.png',
      banner: banner.body.url,
    })
    const icon = await upload(venue, `/menus/${menu.id}/icon`, pictures.png)
    expect((await venue.get(`/menus/${menu.id}`)).body.branding).toEqual({
      icon: icon.body.url,
      banner: banner.body.url,
    })
  })
})

describe('an upload is refused', () => {
  test('that has many parts: up to 20,000 in each of nine files are read, more are rejected', async () => {
    const { venue, path } = await createProduct()
    const send = async (parts: number) => {
      const file = createAvif({ boxes: parts, extents: parts })
      const form = createForm([['image', file], ...Array.from({ length: 8 }, () => ['variant', file] as const)])
      return (await upload(venue, `${path}/images`, form)).body.errors.map(({ code }: { code: string }) => code)
    }
    // Variants need other widths, which only analyzed pictures have.
    expect(await send(9_980)).toEqual(Array(8).fill('duplicate'))
    expect(await send(10_000)).toEqual(Array(9).fill('invalid_format'))
  })

  test('that is too large, of another kind or broken', async () => {
    const { venue, path, images } = await createProduct()
    const full = new Uint8Array(limits.pictureBytes)
    full.set(pictures.jpeg)
    expect((await upload(venue, `${path}/images`, full)).status).toBe(201)
    expect((await upload(venue, `${path}/images`, new Uint8Array(limits.pictureBytes + 1))).status).toBe(413)
    const form = createForm([['image', new Uint8Array(limits.pictureBytes + 1)]])
    expect((await upload(venue, `${path}/images`, form)).status).toBe(413)
    for (const [file, type] of [
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
      [pictures.jpeg, 'application/json'],
    ] as const) {
      expect((await upload(venue, `${path}/images`, file, { 'content-type': type })).status).toBe(415)
    }
    expect((await upload(venue, `${path}/images`, pictures.jpeg, { 'content-encoding': 'gzip' })).status).toBe(415)
    expect(toIssues(await upload(venue, `${path}/images`, pictures.jpeg.subarray(0, 600)))).toEqual([' invalid_format'])
    const broken = await upload(venue, `${path}/images`, '--x', { 'content-type': 'multipart/form-data; boundary=x' })
    expect(broken.body.code).toBe('malformed_body')
    expect(await images()).toHaveLength(1)
  })

  test('beyond 20 pictures of a product', async () => {
    const { venue, path, images } = await createProduct()
    const urls = Array.from({ length: limits.images - 1 }, (_, index) => ({ url: `https://a.example/${index}.png` }))
    await venue.post(path, { images: urls })
    expect((await upload(venue, `${path}/images`)).status).toBe(201)
    expect(toIssues(await upload(venue, `${path}/images`, pictures.png))).toEqual(['/images too_many'])
    expect(await images()).toHaveLength(limits.images)
  })

  test('beyond 1 GiB of a merchant, in both modes together', async () => {
    const { venue, path } = await createProduct()
    const other = await createProduct()
    const { body } = await upload(venue, `${path}/images`)
    const full = `insert into pictures select merchant_id, 1, 'x', widths, ?, 0, null, check_at, 0, clean_at from pictures where merchant_id = ?`
    await env.DB.prepare(full)
      .bind(limits.pictureQuotaBytes - 1_000, venue.id)
      .run()
    const { status, body: problem } = await upload(venue, `${path}/images`, pictures.png)
    expect([status, problem.code]).toEqual([409, 'quota_exceeded'])
    // Stored pictures need no additional quota.
    expect((await upload(venue, `${path}/images`)).body.url).toBe(body.url)
    expect((await upload(other.venue, `${other.path}/images`)).status).toBe(201)
  })

  test('without the scope, for another merchant, an unknown product or another state', async () => {
    const { venue, path, images } = await createProduct()
    const other = await createProduct()
    expect((await upload(venue, `${other.path}/images`)).status).toBe(404)
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['products:read', 'menus:write'] })
    expect((await reader.raw(`${path}/images`, pictures.jpeg, { 'content-type': 'image/jpeg' })).status).toBe(403)
    expect((await upload(venue, `${path}/images`, pictures.jpeg, { 'if-match': '"9-x"' })).status).toBe(412)
    expect(await images()).toEqual([])
  })
})

test.each([
  'x',
  `${'0'.repeat(32)}`,
  `${'0'.repeat(32)}-0`,
  `${'0'.repeat(32)}-1${'-1'.repeat(9)}`,
  '..%2f..%2fsecret',
])('the address /i/%s does not exist', async (name) => expect((await send(`/i/${name}`)).status).toBe(404))
