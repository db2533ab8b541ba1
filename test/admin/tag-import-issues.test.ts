import { describe, expect, test } from 'vitest'
import { adminToken, createVenue } from '../support/api.ts'
import { createImport, leadsTo, name, older, rowsOf } from './imported-tags.ts'

const venue = await createVenue({ orderingUrl: 'https://live.example/', sandboxUrl: 'https://test.example/' })
const take = createImport(venue.id)

describe('a name that another tag has', () => {
  test('is rejected, and nothing of the tag is stored', async () => {
    const sent = older()
    const { body } = await take(sent)
    const stranger = await createVenue()
    const before = await rowsOf()
    const clashes = [
      { id: sent.id },
      { id: sent.alias[0] },
      { id: body.alias[0] },
      { alias: [sent.alias[1]] },
      { alias: [name(), name(), sent.id] },
      { alias: [body.alias[0]] },
      { ...older(), alias: [name(), sent.alias[0]] },
    ]
    for (const clash of clashes) {
      for (const merchantId of [venue.id, stranger.id]) {
        const refused = await take(clash, adminToken, merchantId)
        expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
      }
    }
    expect(await rowsOf()).toEqual(before)
    expect((await stranger.get('/tags')).body).toEqual([])
    const free = clashes.at(-1)?.alias?.[0]
    expect(await leadsTo(`/t/${free}`)).toBe(404)
    expect((await take({ alias: [free] })).status).toBe(201)
    expect((await venue.get(`/tags/${sent.id}`)).body).toStrictEqual(body)
  })

  test('is given to exactly one of many concurrent requests', async () => {
    const alias = [name()]
    const responses = await Promise.all(Array.from({ length: 10 }, () => take({ alias })))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    expect(await leadsTo(`/t/${alias}`)).toBe(
      `https://live.example/?tag=${responses.find(({ status }) => status === 201)?.body.id}`,
    )
  })
})

describe('an invalid imported tag', () => {
  test.each([
    [{ id: '' }, '/id'],
    [{ id: 'a b' }, '/id'],
    [{ id: 'ä' }, '/id'],
    [{ id: 'x'.repeat(65) }, '/id'],
    [{ id: 5 }, '/id'],
    [{ id: '../x' }, '/id'],
    [{ alias: 'x' }, '/alias'],
    [{ alias: ['a/b'] }, '/alias/0'],
    [{ alias: ['ok-1', ''] }, '/alias/1'],
    [{ alias: ['same', 'same'] }, '/alias/1'],
    [{ alias: Array.from({ length: 51 }, (_, n) => `n${n}`) }, '/alias'],
    [{ message: 7 }, '/message'],
    [{ message: 'x'.repeat(5001) }, '/message'],
    [{ edited: 'yes' }, '/edited'],
    [{ qr: 2 }, '/qr'],
    [{ documentId: {} }, '/documentId'],
    [{ nfc: 'x' }, '/nfc'],
    [{ metadata: [{ key: '', value: 'x' }] }, '/metadata/0/key'],
    [{ message: 'a\u0000b' }, '/message'],
    [{ timestamp: 5 }, '/timestamp'],
    [{ timestamp: {} }, '/timestamp/_seconds'],
    [{ timestamp: { _seconds: 1.5, _nanoseconds: 0 } }, '/timestamp/_seconds'],
    [{ timestamp: { _seconds: 1, _nanoseconds: 1e9 } }, '/timestamp/_nanoseconds'],
    [{ timestamp: { _seconds: -1, _nanoseconds: 0 } }, '/timestamp/_seconds'],
    [{ timestamp: { _seconds: 253_402_300_800, _nanoseconds: 0 } }, '/timestamp/_seconds'],
    [{ timestamp: { _seconds: 1, _nanoseconds: 0, x: 1 } }, '/timestamp/x'],
    [{ code: '4F7K9Q2MXR8TWN3B' }, '/code'],
    [{ url: 'https://x.example' }, '/url'],
    [{ createdAt: 1 }, '/createdAt'],
    [{ legacy: {} }, '/legacy'],
  ])('is rejected: %j', async (body, pointer) => {
    const before = await rowsOf()
    const response = await take(body)
    expect(response.status).toBe(422)
    expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
    expect(await rowsOf()).toEqual(before)
  })

  test('is reported before a missing merchant', async () => {
    const nobody = 'mer_00000000000000000000000000'
    expect((await take({ id: '' }, adminToken, nobody)).status).toBe(422)
    expect((await take({}, adminToken, nobody)).status).toBe(404)
  })

  test('is rejected with all issues at once', async () => {
    const { body } = await take({ id: '', qr: 'x', colour: 'red', timestamp: { _seconds: 'x', _nanoseconds: 0 } })
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/colour',
      '/id',
      '/qr',
      '/timestamp/_seconds',
    ])
  })
})
