import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { app } from '../../../src/app/app.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { largeWork } from '../../../src/platform/http/bodies/byte-budget.ts'
import { resizedWidths } from '../../../src/storefront/media/picture-widths.ts'
import { pictures, secret } from '../../support/pictures.ts'
import { createGreyPng } from '../../support/png.ts'

const withImages: Bindings = { ...env, IMAGES: env.LOCAL_IMAGES }
const immutable = 'public, max-age=31536000, immutable'
const brief = 'public, max-age=300'

afterEach(() => vi.restoreAllMocks())

let count = 0
/** Stores a file of a picture of its own. Returns the file's name. */
async function storePicture(width: number, bytes: Uint8Array, contentType = 'image/png') {
  const name = `${String(++count).padStart(32, '0')}-${width}`
  await env.MEDIA.put(`pictures/${name}`, bytes, { httpMetadata: { contentType } })
  return name
}

/** A response. Each `host` has a cache of its own. */
async function read(path: string, bindings = withImages, { host = 'a', headers = {} } = {}) {
  const context = createExecutionContext()
  const response = await app.fetch(new Request(`https://${host}.test/i/${path}`, { headers }), bindings, context)
  const bytes = new Uint8Array(await response.arrayBuffer())
  await waitOnExecutionContext(context)
  const { status, headers: got } = response
  return { status, bytes, type: got.get('content-type'), caching: got.get('cache-control'), etag: got.get('etag') }
}

const measure = async (bytes: Uint8Array<ArrayBuffer>) => env.LOCAL_IMAGES.info(new Blob([bytes]).stream())
const listKeys = async (name: string) =>
  (await env.MEDIA.list({ prefix: `pictures/${name}` })).objects.map(({ key }) => key)

describe('a smaller file', () => {
  test('is made of the picture, kept, and served without the binding then', async () => {
    const name = await storePicture(400, await createGreyPng(400, 200))
    const made = await read(`${name}/w176`)
    expect(made).toMatchObject({ status: 200, type: 'image/webp', caching: immutable, etag: `"${name}/w176"` })
    expect(await measure(made.bytes)).toMatchObject({ format: 'image/webp', width: 176, height: 88 })
    expect(await listKeys(name)).toEqual([`pictures/${name}`, `pictures/${name}/w176`])
    for (const host of ['a', 'b']) expect(await read(`${name}/w176`, env, { host })).toEqual(made)
    const known = await read(`${name}/w176`, env, { host: 'c', headers: { 'if-none-match': `"${name}/w176"` } })
    expect([known.status, known.bytes.length]).toEqual([304, 0])
  })

  test('has no metadata, whatever the binding keeps', async () => {
    const name = await storePicture(400, await createGreyPng(400, 200))
    const result = { image: () => new Blob([pictures.webp]).stream(), contentType: () => 'image/webp' }
    const step = { transform: () => step, output: async () => result }
    const IMAGES: NonNullable<Bindings['IMAGES']> = Object.assign(Object.create(null), { input: () => step })
    const { type, bytes } = await read(`${name}/w176`, { ...env, IMAGES })
    expect([type, pictures.webp.length - bytes.length > 300]).toEqual(['image/webp', true])
    const stored = await (await env.MEDIA.get(`pictures/${name}/w176`))?.arrayBuffer()
    for (const file of [bytes, stored]) expect(new TextDecoder('latin1').decode(file)).not.toContain(secret)
  })

  test('is shown upright', async () => {
    const name = await storePicture(4000, pictures.jpeg, 'image/jpeg')
    const { type, bytes } = await read(`${name}/w112`)
    expect(type).toBe('image/webp')
    expect(await measure(bytes)).toMatchObject({ width: 20, height: 40 })
  })

  test('has the same address and file whatever the picture has besides', async () => {
    const name = await storePicture(400, await createGreyPng(400, 200))
    expect((await read(`${name}-88/w112`)).etag).toBe(`"${name}/w112"`)
    expect(await listKeys(name)).toEqual([`pictures/${name}`, `pictures/${name}/w112`])
  })

  test('has one of few widths', async () => {
    const name = await storePicture(2000, await createGreyPng(2000, 10))
    expect(resizedWidths).toEqual([112, 176, 352, 608, 832, 1216])
    for (const width of resizedWidths) {
      expect(await measure((await read(`${name}/w${width}`)).bytes)).toMatchObject({ width })
    }
    for (const width of ['w111', 'w1217', 'w0', 'w0176', '176', 'w176x', 'W176', 'w']) {
      expect((await read(`${name}/${width}`)).status).toBe(404)
    }
  })

  test('of an unknown picture is not found', async () => {
    expect((await read(`${'z'.repeat(32)}-1600/w176`)).status).toBe(404)
    expect((await read('nothing/w176')).status).toBe(404)
  })

  test('is not kept if the picture is deleted in between', async () => {
    const name = await storePicture(400, await createGreyPng(400, 200))
    const MEDIA = new Proxy(env.MEDIA, {
      get: (bucket, field) =>
        field === 'put'
          ? async (...given: Parameters<R2Bucket['put']>) => {
              await bucket.delete(`pictures/${name}`)
              return bucket.put(...given)
            }
          : Reflect.get(bucket, field).bind(bucket),
    })
    expect((await read(`${name}/w176`, { ...withImages, MEDIA })).type).toBe('image/webp')
    expect(await listKeys(name)).toEqual([])
  })
})

describe('the picture itself is served', () => {
  test.each([
    ['it is as wide', 352, false],
    ['it is narrower', 300, false],
    ['it is animated', 400, true],
  ])('for good if %s', async (_, width, isAnimated) => {
    const picture = await createGreyPng(width, 100, { isAnimated })
    const name = await storePicture(width, picture)
    expect(await read(`${name}/w352`)).toMatchObject({ type: 'image/png', caching: immutable, bytes: picture })
    expect(await listKeys(name)).toHaveLength(1)
  })

  test('for good if it is an animated WebP', async () => {
    const animated = pictures.webp.slice()
    animated[20] = (animated[20] ?? 0) | 2
    const name = await storePicture(400, animated, 'image/webp')
    expect(await read(`${name}/w352`)).toMatchObject({ type: 'image/webp', caching: immutable, bytes: animated })
  })

  test('for five minutes without the binding', async () => {
    const picture = await createGreyPng(400, 200)
    const name = await storePicture(400, picture)
    const substitute = { status: 200, type: 'image/png', caching: brief, etag: `"${name}"`, bytes: picture }
    expect(await read(`${name}/w176`, env)).toEqual(substitute)
    expect(await read(`${name}/w176`)).toEqual(substitute)
    expect((await read(`${name}/w176`, withImages, { host: 'b' })).type).toBe('image/webp')
  })

  test('for five minutes where large requests have all memory', async () => {
    const picture = await createGreyPng(400, 200)
    const name = await storePicture(400, picture)
    const leases = ['one', 'two'].map((merchant) => largeWork.open(merchant))
    await leases[0]?.hold(largeWork.maxShare)
    await leases[1]?.hold(largeWork.maxBytes - largeWork.maxShare)
    const substitute = { status: 200, type: 'image/png', caching: brief, etag: `"${name}"`, bytes: picture }
    expect(await read(`${name}/w176`)).toEqual(substitute)
    for (const lease of leases) lease.close()
    expect((await read(`${name}/w176`, withImages, { host: 'b' })).type).toBe('image/webp')
    expect(largeWork.leases).toBe(0)
  })

  test('for five minutes if no file can be made of it, which is logged', async () => {
    const name = await storePicture(400, new Uint8Array(100), 'image/avif')
    const written = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const substitute = { status: 200, type: 'image/avif', caching: brief, etag: `"${name}"` }
    expect(await read(`${name}/w176`)).toMatchObject(substitute)
    expect(written.mock.calls.join()).toContain('picture not resized')
    expect(await listKeys(name)).toHaveLength(1)
  })
})
