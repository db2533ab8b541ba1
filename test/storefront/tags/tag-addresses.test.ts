import { describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { createTestWorker } from '../../support/test-worker.ts'

const base = 'https://menu.example'
const venue = await createVenue({ orderingUrl: 'https://live.example/o', sandboxUrl: 'https://test.example/o' })
const create = async (body: object = {}, owner: Pick<typeof venue, 'post'> = venue) => {
  const { body: tag } = await owner.post('/tags', body)
  return { ...tag, code: tag.alias[0] }
}
const tag = await create()
const unset = { PUBLIC_BASE_URL: undefined }

describe('the addresses of a tag', () => {
  test('contain its code under the configured base; that of the chip is signed', async () => {
    expect(tag).toMatchObject({
      url: `${base}/t/${tag.code}`,
      qrUrl: `${base}/t/${tag.code}/qr.png`,
      nfcUrl: expect.stringMatching(new RegExp(`^${base}/n/${tag.code}/[0-9A-HJKMNP-TV-Z]{16}$`)),
    })
    expect((await venue.get(`/tags/${tag.id}`)).body.nfcUrl).toBe(tag.nfcUrl)
    expect((await create()).nfcUrl.slice(-16)).not.toBe(tag.nfcUrl.slice(-16))
  })

  test('have a signature only in responses to create and retrieve', async () => {
    const made = await create({ metadata: [{ key: 'nfc', value: 'x' }] })
    const updated = await venue.post(`/tags/${made.id}`, { metadata: [{ key: 'nfc', value: 'y' }] })
    const listed = await venue.get(`/tags?ids=${made.id}`)
    const removed = await venue.remove(`/tags/${made.id}`)
    for (const shown of [updated.body, listed.body[0], removed.body.object]) {
      expect(shown).toMatchObject({ id: made.id, url: made.url, qrUrl: made.qrUrl })
      expect(shown).not.toHaveProperty('nfcUrl')
    }
    const { body: events } = await venue.get('/events')
    const own = events.filter(({ data }: { data: { id: string } }) => data.id === made.id)
    expect(own).toHaveLength(3)
    for (const { data } of own) expect(data).toMatchObject({ url: made.url, qrUrl: made.qrUrl })
    expect(JSON.stringify(own)).not.toMatch(/nfcUrl|\/n\//)
  })

  test.each(['http://localhost:8787', 'http://127.0.0.1:9500', 'http://[::1]:9500', 'https://localhost'])(
    'are those of %s where none is configured',
    async (local) => {
      const { body } = await createTestWorker(unset).call('GET', `${local}${venue.path(`/tags/${tag.id}`)}`, venue.key)
      expect(body.url).toBe(`${local}/t/${tag.code}`)
      expect(body.nfcUrl.startsWith(`${local}/n/${tag.code}/`)).toBe(true)
    },
  )

  test.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.2',
    'http://0.0.0.0',
    'http://localhost@evil.example',
    'http://[::ffff:127.0.0.1]',
  ])('are absent without configuration if the request has %s', async (other) => {
    const worker = createTestWorker(unset)
    const address = new URL(other)
    address.username = ''
    const { body, status } = await worker.call('GET', `${address.origin}${venue.path(`/tags/${tag.id}`)}`, venue.key)
    expect(status).toBe(200)
    for (const key of ['url', 'qrUrl', 'nfcUrl']) expect(body).not.toHaveProperty(key)
  })

  test.each([
    ['Host', 'evil.example'],
    ['X-Forwarded-Host', 'evil.example'],
    ['Forwarded', 'host=evil.example'],
  ])('never come from %s', async (header, value) => {
    const { body } = await venue.get(`/tags/${tag.id}`, { [header]: value })
    expect(body).toEqual((await venue.get(`/tags/${tag.id}`)).body)
    expect(JSON.stringify(body)).not.toContain('evil')
    const worker = createTestWorker(unset)
    const headers = { [header]: value, authorization: `Bearer ${venue.key}` }
    expect((await worker.fetch(venue.path(`/tags/${tag.id}`), { headers })).body).not.toHaveProperty('url')
    expect((await worker.fetch(`/t/${tag.code}`, { headers })).headers.get('location')).toBe(
      `https://live.example/o?tag=${tag.id}`,
    )
  })
})
