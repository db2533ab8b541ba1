import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'

const venue = await createVenue()
const live = venue
const testing = await createKey(venue.id, { mode: 'test' })
const create = async (body: object = {}) => (await venue.post('/tags', body)).body

describe('the addresses of a tag', () => {
  test('contain its code under the configured base, with any Host header', async () => {
    const tag = await create()
    const [code] = tag.alias
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
    expect(tag).toMatchObject({
      alias: [code],
      url: `https://menu.example/t/${code}`,
      qrUrl: `https://menu.example/t/${code}/qr.png`,
      nfcUrl: expect.stringContaining(`https://menu.example/n/${code}/`),
    })
    const elsewhere = await venue.get(`/tags/${tag.id}`, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
    expect(elsewhere.body).toEqual(tag)
  })

  test('are shown by every operation and survive every update', async () => {
    const { alias, url, qrUrl, id } = await create()
    const updated = await venue.post(`/tags/${id}`, { metadata: [{ key: 'table', value: '1' }], nfc: true })
    for (const shown of [
      updated.body,
      (await venue.get(`/tags?ids=${id}`)).body[0],
      (await venue.get(`/tags/${id}`)).body,
      (await venue.remove(`/tags/${id}`)).body.object,
    ]) {
      expect(shown).toMatchObject({ alias, url, qrUrl })
    }
  })

  test('are different for every tag', async () => {
    const tags = await Promise.all(Array.from({ length: 100 }, () => create()))
    expect(new Set(tags.map(({ alias }) => alias[0])).size).toBe(100)
  })
})

describe('what a tag says about its place', () => {
  test('is shown to guests unless it is said that it is not', async () => {
    const place = { key: 'table', value: '7' }
    for (const [visible, expected] of [
      [undefined, true],
      [null, true],
      [true, true],
      [1, true],
      [false, false],
      [0, false],
    ] as const) {
      const { id, metadata } = await create({ metadata: [{ ...place, visible }] })
      expect(metadata).toStrictEqual([{ ...place, visible: expected }])
      const { body } = await venue.post(`/tags/${id}`, {
        metadata: [
          { ...place, visible: !expected },
          { ...place, visible },
        ],
      })
      expect(body.metadata).toStrictEqual([
        { ...place, visible: !expected },
        { ...place, visible: expected },
      ])
    }
  })

  test('keeps its order and may name a key twice', async () => {
    const metadata = ['b', 'a', 'b'].map((key) => ({ key, value: key, visible: true }))
    expect((await create({ metadata })).metadata).toEqual(metadata)
  })

  test.each<[object, string]>([
    [{ key: 'table' }, '/metadata/0/value required'],
    [{ value: '7' }, '/metadata/0/key required'],
    [{ key: null, value: '7' }, '/metadata/0/key required'],
    [{ key: ' ', value: '7' }, '/metadata/0/key too_short'],
    [{ key: 'table', value: 7 }, '/metadata/0/value invalid_type'],
    [{ key: 'table', value: '7', visible: 'no' }, '/metadata/0/visible invalid_type'],
    [['table', '7'], '/metadata/0 invalid_type'],
  ])('is refused as %j', async (entry, issue) => {
    expect(toIssues(await venue.post('/tags', { metadata: [entry] }))).toEqual([issue])
  })
})

test('nfc is false until it is set', async () => {
  const { id, nfc } = await create({})
  expect(nfc).toBe(false)
  expect((await venue.post(`/tags/${id}`, { nfc: 1 })).body.nfc).toBe(true)
  expect((await venue.post(`/tags/${id}`, { nfc: null })).body.nfc).toBe(false)
  expect((await create({ nfc: true })).nfc).toBe(true)
})

describe('testMode', () => {
  test('is that of the key where it is not given', async () => {
    for (const body of [{}, { testMode: null }]) {
      expect((await live.post('/tags', body)).body.testMode).toBe(false)
      expect((await testing.post('/tags', body)).body.testMode).toBe(true)
    }
  })

  test('may be set by a live key, which reaches both kinds', async () => {
    for (const testMode of [true, 1]) {
      const { body: made } = await live.post('/tags', { testMode })
      expect(made.testMode).toBe(true)
      expect((await live.get(`/tags/${made.id}`)).body).toEqual(made)
      expect((await testing.get(`/tags/${made.id}`)).body).toEqual(made)
      expect((await live.post(`/tags/${made.id}`, { nfc: true })).body).toMatchObject({ testMode: true, nfc: true })
      expect((await live.post(`/tags/${made.id}`, { testMode: false })).body).toMatchObject({
        testMode: false,
        nfc: true,
      })
      expect((await testing.get(`/tags/${made.id}`)).status).toBe(404)
      expect((await live.post(`/tags/${made.id}`, { testMode: true })).body.testMode).toBe(true)
      // Back to the default, which is the mode of the key.
      expect((await live.post(`/tags/${made.id}`, { testMode: null })).body.testMode).toBe(false)
    }
  })

  test('cannot be false for a test key', async () => {
    for (const testMode of [false, 0]) {
      const refused = await testing.post('/tags', { testMode })
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      const { body: made } = await testing.post('/tags', { testMode: true })
      expect((await testing.post(`/tags/${made.id}`, { testMode })).status).toBe(403)
      expect(await testing.post(`/tags/${made.id}`, { testMode: null })).toMatchObject({
        status: 200,
        body: { testMode: true },
      })
      expect((await testing.get(`/tags/${made.id}`)).body).toEqual(made)
    }
  })

  test('hides a live tag from a test key in all requests', async () => {
    const { id } = await create()
    for (const response of [
      await testing.get(`/tags/${id}`),
      await testing.post(`/tags/${id}`, { nfc: true }),
      await testing.post(`/tags/${id}`, { testMode: true }),
      await testing.remove(`/tags/${id}`),
    ]) {
      expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await testing.get(`/tags?ids=${id}`)).body).toEqual([])
    expect((await live.get(`/tags/${id}`)).body).toMatchObject({ nfc: false, testMode: false })
  })
})
