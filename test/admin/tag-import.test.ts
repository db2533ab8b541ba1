import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { adminToken, call, createKey, createVenue, toIssues } from '../support/api.ts'
import { createTestWorker } from '../support/test-worker.ts'
import { createImport, leadsTo, name, older, rowsOf } from './imported-tags.ts'

const venue = await createVenue({ orderingUrl: 'https://live.example/', sandboxUrl: 'https://test.example/' })
const take = createImport(venue.id)

describe('an imported tag', () => {
  test('is stored and returned unchanged; its new code precedes its aliases', async () => {
    const sent = older()
    const { status, body, headers } = await take(sent)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/merchants/${venue.id}/tags/${sent.id}`)
    const [code] = body.alias
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
    const shown = {
      ...sent,
      alias: [code, ...sent.alias],
      updatedAt: 1_577_836_800,
      url: `https://menu.example/t/${code}`,
      qrUrl: `https://menu.example/t/${code}/qr.png`,
    }
    expect(body).toStrictEqual({ ...shown, nfcUrl: body.nfcUrl })
    expect((await venue.get(`/tags/${sent.id}`)).body).toStrictEqual(body)
    expect((await venue.get(`/tags?ids=${sent.id}`)).body).toStrictEqual([shown])
    expect((await venue.get('/tags?limit=100')).body).toContainEqual(shown)
    const { body: events } = await venue.get('/events')
    expect(events.find(({ data }: { data: { id: string } }) => data.id === sent.id)).toMatchObject({
      type: 'tag.created',
      data: shown,
    })
    expect((await venue.remove(`/tags/${sent.id}`)).body.object).toStrictEqual(shown)
  })

  test('has no required fields and is otherwise an ordinary tag', async () => {
    const { status, body } = await take({})
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^tag_/),
      nfc: false,
      metadata: [],
      testMode: false,
      createdAt: expect.any(Number),
    })
    expect(body.alias).toHaveLength(1)
    for (const key of ['message', 'documentCollection', 'documentId', 'edited', 'qr', 'timestamp', 'legacy', 'code'])
      expect(body).not.toHaveProperty(key)
  })

  test('accepts null for missing fields', async () => {
    const nothing = Object.fromEntries(Object.keys(older()).map((key) => [key, null]))
    const { status, body } = await take(nothing)
    expect(status).toBe(201)
    expect(JSON.stringify(body)).not.toContain('null')
  })

  test('takes its creation time from the timestamp of the earlier system', async () => {
    const { body } = await take({ timestamp: { _seconds: 0, _nanoseconds: 0 } })
    expect(body.timestamp).toEqual({ _seconds: 0, _nanoseconds: 0 })
    expect(body).not.toHaveProperty('createdAt')
  })

  test('can be updated like any tag and keeps its imported fields', async () => {
    const sent = older()
    const { body: made } = await take(sent)
    const { body } = await venue.post(`/tags/${sent.id}`, { metadata: [{ key: 'table', value: '13' }], testMode: true })
    const { nfcUrl, ...rest } = made
    expect(body).toStrictEqual({
      ...rest,
      metadata: [{ key: 'table', value: '13', visible: true }],
      testMode: true,
      updatedAt: body.updatedAt,
    })
    expect(body.updatedAt).toBeGreaterThan(made.updatedAt)
    for (const key of ['alias', 'message', 'documentId', 'edited', 'qr', 'timestamp'])
      expect((await venue.post(`/tags/${sent.id}`, { [key]: 'x' })).status).toBe(422)
    expect(await leadsTo(`/t/${sent.alias[0]}`)).toBe(`https://test.example/?tag=${sent.id}`)
  })

  test('is found by every printed code, with its exact case', async () => {
    const sent = older()
    const { body } = await take(sent)
    const target = `https://live.example/?tag=${sent.id}`
    for (const printed of [sent.id, ...sent.alias, ...body.alias, body.alias[0].toLowerCase()]) {
      for (const path of ['t', 'T']) expect(await leadsTo(`/${path}/${printed}`)).toBe(target)
    }
    for (const other of [sent.id.toLowerCase(), sent.alias[0]?.toUpperCase(), sent.alias[0]?.toLowerCase()])
      expect(await leadsTo(`/t/${other}`)).toBe(404)
  })

  test('can have aliases that differ from those of another tag in case only', async () => {
    const alias = name('Abc')
    const [first, second] = [await take({ alias: [alias] }), await take({ alias: [alias.toLowerCase()] })]
    expect(await leadsTo(`/t/${alias}`)).toBe(`https://live.example/?tag=${first.body.id}`)
    expect(await leadsTo(`/t/${alias.toLowerCase()}`)).toBe(`https://live.example/?tag=${second.body.id}`)
  })

  test('cannot have an id that is the path of something else, but can have it as an alias', async () => {
    const { paths } = await (await env.ASSETS.fetch('https://assets/openapi.json')).json<{ paths: object }>()
    const segments = Object.keys(paths).flatMap((path) => /\/tags\/([\w-]+)(?:\/|$)/.exec(path)?.[1] ?? [])
    expect(segments).toContain('sheet')
    for (const segment of new Set(segments)) {
      const before = await rowsOf()
      const refused = await take({ id: segment })
      expect([segment, refused.status, toIssues(refused)]).toEqual([segment, 422, ['/id invalid_value']])
      expect(refused.body.errors[0].message).toContain('alias')
      expect(await rowsOf()).toEqual(before)
      const { status, body } = await take({ alias: [segment] })
      expect([status, (await venue.get(`/tags/${body.id}`)).body.alias[1]]).toEqual([201, segment])
      expect(await leadsTo(`/t/${segment}`)).toBe(`https://live.example/?tag=${body.id}`)
    }
  })

  test.each(['Sheet', 'sheets', 'scans', 'nfc-link', 'qr-png', '-', '_'])(
    'can have the id %s, and is retrieved, updated and deleted by it',
    async (id) => {
      expect((await take({ id })).status).toBe(201)
      expect((await venue.get(`/tags/${id}`)).body.id).toBe(id)
      expect((await venue.get(`/tags/${id}/scans`)).body).toEqual([])
      expect((await venue.post(`/tags/${id}`, { nfc: true })).body.nfc).toBe(true)
      expect((await venue.remove(`/tags/${id}`)).status).toBe(200)
    },
  )

  test('can list its own id among its aliases', async () => {
    const id = name()
    const { status, body } = await take({ id, alias: [name(), id] })
    expect(status).toBe(201)
    expect(body.alias).toContain(id)
    expect(await leadsTo(`/t/${id}`)).toBe(`https://live.example/?tag=${id}`)
  })

  test.each(['a', 'A-_9', 'x'.repeat(64)])('can have the alias %s', async (alias) => {
    expect((await take({ alias: [alias] })).status).toBe(201)
    expect(await leadsTo(`/t/${alias}`)).toMatch(/^https:/)
  })
})

test('only the operator can import tags', async () => {
  const { key } = await createKey(venue.id, { mode: 'live' })
  for (const token of [key, venue.key, 'nonsense']) expect((await take({}, token)).status).toBe(401)
  expect((await call('POST', `/admin/merchants/${venue.id}/tags`, undefined, {})).status).toBe(401)
  expect((await venue.post('/tags', { alias: [name()] })).status).toBe(422)
  expect((await venue.post('/tags', { id: name() })).status).toBe(422)
  const { status, headers } = await call('GET', `/admin/merchants/${venue.id}/tags`, adminToken)
  expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  const unguarded = createTestWorker({ ADMIN_TOKEN: undefined })
  expect((await unguarded.call('POST', `/admin/merchants/${venue.id}/tags`, adminToken, {})).status).toBe(404)
})
