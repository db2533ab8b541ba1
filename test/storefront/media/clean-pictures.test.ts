import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { cleaningLimits, cleanPictures } from '../../../src/storefront/media/clean-pictures.ts'
import { adminToken, call } from '../../support/api.ts'
import { findObject, queryHome, ringAlarm } from '../../support/home.ts'
import { moveTo } from '../../support/moves.ts'
import { pictures, secret, smallPicture } from '../../support/pictures.ts'
import { now } from '../../support/webhook-harness.ts'
import { createProduct, upload } from './picture-requests.ts'

beforeEach(() => env.DB.exec('delete from pictures'))
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Collects lines of the log. */
function watchLog() {
  const logs = (['info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  )
  const listLines = () => logs.flatMap(({ mock }) => mock.calls.map(([line]) => JSON.parse(String(line))))
  return {
    cleaned: () =>
      listLines()
        .filter(({ message }) => message === 'pictures cleaned')
        .map(({ pictures, changed, unreadable }) => ({ pictures, changed, unreadable })),
    failed: () => listLines().filter(({ message }) => message === 'pictures not cleaned'),
  }
}

const readText = async (key: string) => {
  const object = await env.MEDIA.get(key)
  return object && new TextDecoder('latin1').decode(await object.arrayBuffer())
}

/** Puts a file as an earlier release stored it, whose row says nothing of its cleaning. */
async function storeOld(merchantId: string, files: Readonly<Record<string, Uint8Array | string>>) {
  for (const [key, bytes] of Object.entries(files))
    await env.MEDIA.put(key, bytes, { httpMetadata: { contentType: 'image/jpeg' } })
  await queryHome(merchantId, 'update pictures set clean_at = 0, bytes = 99999 where merchant_id = ?', merchantId)
}

/** A product with a picture of an earlier release. */
async function createOld(file: Uint8Array = pictures.jpeg, home: 'd1' | 'object' = 'd1') {
  const { venue, path } = await createProduct({ home })
  const { body } = await upload(venue, `${path}/images`)
  const key = `pictures/${body.url.split('/i/')[1]}`
  const clean = await readText(key)
  await storeOld(venue.id, { [key]: file })
  const readRow = async () => (await queryHome(venue.id, 'select clean_at, bytes from pictures'))[0]
  return { venue, path, key, clean, url: body.url as string, readRow }
}

const clean = (bindings: Bindings = env, at = now()) => cleanPictures(bindings, directoryDatabase(bindings), at)

/** R2 that awaits something before a call of a method. */
const interceptR2 = (method: keyof R2Bucket, before: (key: string) => Promise<void>): Bindings => ({
  ...env,
  MEDIA: new Proxy(env.MEDIA, {
    get: (bucket, name) =>
      name === method
        ? async (key: string, ...rest: unknown[]) => {
            await before(key)
            return Reflect.apply(Reflect.get(bucket, name), bucket, [key, ...rest])
          }
        : Reflect.get(bucket, name).bind(bucket),
  }),
})

describe.each(['d1', 'object'] as const)('with data in %s', (home) => {
  const sweep = async (merchantId: string) =>
    (await findObject(merchantId)) ? ringAlarm(merchantId) : runScheduled(env)

  test('a picture of an earlier release, and the files that were made of it, are cleaned once, in place', async () => {
    const { cleaned, failed } = watchLog()
    const { venue, path } = await createProduct({ home })
    const { body } = await upload(venue, `${path}/images`)
    const key = `pictures/${body.url.split('/i/')[1]}`
    const stored = await readText(key)
    const digest = key.slice('pictures/'.length, -'-20'.length)
    await queryHome(venue.id, `update pictures set widths = '[400,20]' where merchant_id = ?`, venue.id)
    const files = {
      [`pictures/${digest}-400`]: pictures.png,
      [`pictures/${digest}-400/w112`]: pictures.webp,
      [`pictures/${digest}-400/w352`]: smallPicture,
      [`pictures/${digest}-400/paper`]: `pixels ${secret}`,
      [`pictures/${digest}-20`]: pictures.jpeg,
      [`pictures/${'0'.repeat(32)}-20`]: pictures.jpeg,
    }
    await storeOld(venue.id, files)

    await sweep(venue.id)
    expect(cleaned()).toEqual([{ pictures: 1, changed: 3, unreadable: 0 }])
    const texts = await Promise.all(Object.keys(files).map(readText))
    expect(texts.map((text) => text?.includes(secret))).toEqual([false, false, false, true, false, true])
    expect(texts[4]).toBe(stored)
    expect((await env.MEDIA.head(key))?.httpMetadata).toEqual({ contentType: 'image/jpeg' })
    const [row] = await queryHome(venue.id, 'select bytes, clean_at from pictures where merchant_id = ?', venue.id)
    const own = (texts[0]?.length ?? 0) + (texts[4]?.length ?? 0)
    expect(row).toEqual({ bytes: own, clean_at: 253_402_300_799 })

    await sweep(venue.id)
    expect([cleaned().length, failed()]).toEqual([1, []])
  })

  test('an object sleeps until a picture is due, and one that is uploaded now is clean', async () => {
    const { venue, path } = await createProduct({ home })
    await upload(venue, `${path}/images`)
    const get = vi.spyOn(env.MEDIA, 'get')
    const next = await sweep(venue.id)
    expect(get).not.toHaveBeenCalled()
    if (typeof next === 'number') expect(next).toBeGreaterThan(Date.now() + 3_600_000)
  })
})

test('a logo is cleaned', async () => {
  const { cleaned } = watchLog()
  const { venue, key, url } = await createOld()
  await call('POST', `/admin/merchants/${venue.id}`, adminToken, { logo: url })
  await clean()
  expect(cleaned()).toEqual([{ pictures: 1, changed: 1, unreadable: 0 }])
  expect(await readText(key)).not.toContain(secret)
})

test.each([
  ['cut off', pictures.jpeg.slice(0, 900)],
  ['no picture', new TextEncoder().encode(`<svg>${secret}</svg>`)],
  ['larger than any picture', new Uint8Array(9_000_000)],
])('a file that is %s stays as it is, and is counted once', async (_, file) => {
  const { cleaned, failed } = watchLog()
  const { key, readRow } = await createOld(file)
  await clean()
  expect(cleaned()).toEqual([{ pictures: 1, changed: 0, unreadable: 1 }])
  expect(await readText(key)).toBe(new TextDecoder('latin1').decode(file))
  expect(await readRow()).toEqual({ bytes: file.length, clean_at: 253_402_300_799 })
  await clean()
  expect([cleaned().length, failed()]).toEqual([1, []])
})

test('a file that is deleted while it is cleaned does not come back', async () => {
  const { cleaned } = watchLog()
  const { venue, key } = await createOld()
  await clean(
    interceptR2('put', async () => {
      await env.MEDIA.delete(key)
      await env.DB.prepare('delete from pictures where merchant_id = ?').bind(venue.id).run()
    }),
  )
  expect(cleaned()).toEqual([{ pictures: 1, changed: 0, unreadable: 0 }])
  expect(await env.MEDIA.head(key)).toBe(null)
  expect((await env.DB.prepare('select * from pictures').all()).results).toEqual([])
})

test('a picture whose files are not all there, or cannot be read now, is tried again a day later', async () => {
  const { cleaned } = watchLog()
  const { key } = await createOld()
  await expect(
    clean(
      interceptR2('get', async () => {
        throw new Error('R2 is down')
      }),
    ),
  ).rejects.toThrow('R2 is down')
  await clean()
  expect(await readText(key)).toContain(secret)
  await env.DB.exec(`update pictures set widths = '[20,10]'`)
  await clean(env, now() + cleaningLimits.retrySeconds)
  expect([cleaned(), (await readText(key))?.includes(secret)]).toEqual([[], false])
  await env.DB.exec(`update pictures set widths = '[20]'`)
  await clean(env, now() + 2 * cleaningLimits.retrySeconds)
  expect(cleaned()).toEqual([{ pictures: 1, changed: 0, unreadable: 0 }])
})

test('a run is bounded, and the next one continues', async () => {
  const { cleaned } = watchLog()
  const { venue, key } = await createOld()
  const count = cleaningLimits.pictures
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
      insert into pictures select merchant_id, test_mode, printf('%032d', i), widths, bytes, is_logo, unused_since, check_at, deleting, 0
      from pictures, n where merchant_id = ?`,
  )
    .bind(count, venue.id)
    .run()
  for (let index = 1; index <= count; index++)
    await env.MEDIA.put(`pictures/${String(index).padStart(32, '0')}-20`, pictures.png)
  const list = vi.spyOn(env.MEDIA, 'list')
  await clean()
  expect(list).toHaveBeenCalledTimes(count)
  await clean()
  expect(cleaned()).toEqual([
    { pictures: count, changed: count, unreadable: 0 },
    { pictures: 1, changed: 1, unreadable: 0 },
  ])
  expect(await readText(key)).not.toContain(secret)
})

test('a merchant that moves has its pictures cleaned at its new home', async () => {
  const { cleaned } = watchLog()
  const { venue, key } = await createOld()
  await env.DB.prepare(
    `insert into homes (merchant_id, kind, object, fenced_until) values (?, 'd1', null, unixepoch() + 60)`,
  )
    .bind(venue.id)
    .run()
  await clean()
  expect(cleaned()).toEqual([])
  await env.DB.prepare('delete from homes where merchant_id = ?').bind(venue.id).run()
  expect(await moveTo(venue.id, 'object')).toMatchObject({ state: 'done' })
  await clean()
  expect(await readText(key)).toContain(secret)
  await ringAlarm(venue.id)
  expect(cleaned()).toEqual([{ pictures: 1, changed: 1, unreadable: 0 }])
  expect(await readText(key)).not.toContain(secret)
})
