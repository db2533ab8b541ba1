import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { queueUntil } from '../../../src/storefront/tags/scans/record-scan.ts'
import { createKey, createVenue } from '../../support/api.ts'
import { broken, createTestWorker } from '../../support/test-worker.ts'

const venue = await createVenue({ orderingUrl: 'https://live.example/', sandboxUrl: 'https://test.example/' })
const testing = await createKey(venue.id, { mode: 'test' })
let worker = createTestWorker()
beforeEach(() => {
  // Each scan leaves a message.
  queueUntil.ms = Number.POSITIVE_INFINITY
  worker = createTestWorker()
})

const create = async (body: object = {}) => {
  const { body: tag } = await worker.call('POST', venue.path('/tags'), venue.key, body)
  return { ...tag, code: tag.alias[0], chip: new URL(tag.nfcUrl).pathname }
}
const show = async (id: string) => (await venue.get(`/tags/${id}`)).body
/** The events of a tag after its creation. */
async function eventsOf(id: string) {
  const [{ body: real }, { body: tests }] = await Promise.all([
    venue.get('/events?limit=100'),
    testing.get('/events?limit=100'),
  ])
  return [...real, ...tests].filter(({ data }) => data.id === id).slice(1)
}
/** Scans chips, and waits for the work behind the responses. Returns the channels that were counted. */
async function tap(...paths: string[]) {
  worker.used()
  const responses = await Promise.all(paths.map((path) => worker.fetch(path)))
  await worker.settle()
  const { writes, sent } = worker.used()
  const scans = sent.map((sent) => Object.entries(sent ?? {})).map((entries) => Object.fromEntries(entries))
  return {
    writes,
    responses: responses.map(({ status, headers }) => [status, headers.get('location')]),
    channels: scans.flatMap(({ kind, channel }) => (kind === 'scan' ? [channel] : [])),
  }
}

describe('the first tap', () => {
  test('redirects like a scan and sets nfc of the tag', async () => {
    const tag = await create()
    expect(tag.nfc).toBe(false)
    const { responses, channels } = await tap(tag.chip)
    expect([responses, channels]).toEqual([[[302, `https://live.example/?tag=${tag.id}`]], ['nfc']])
    const after = await show(tag.id)
    expect(after).toEqual({ ...tag, nfc: true, updatedAt: after.updatedAt, code: undefined, chip: undefined })
    expect(after.updatedAt).toBeGreaterThan(tag.updatedAt)
  })

  test('raises one event without the address of the chip', async () => {
    const tag = await create()
    await tap(tag.chip)
    const shown = await eventsOf(tag.id)
    expect(shown).toHaveLength(1)
    expect(shown[0]).toMatchObject({
      type: 'tag.updated',
      version: 2,
      testMode: false,
      data: { id: tag.id, nfc: true, url: tag.url, qrUrl: tag.qrUrl },
      previous: { nfc: false },
    })
    expect(JSON.stringify(shown)).not.toContain(tag.chip)
  })

  test('is recorded once for hundreds of concurrent taps', async () => {
    const tag = await create()
    const { responses, channels } = await tap(...Array.from({ length: 100 }, () => tag.chip))
    expect(new Set(responses.map(([status]) => status))).toEqual(new Set([302]))
    expect(channels).toEqual(Array.from({ length: 100 }, () => 'nfc'))
    const after = await show(tag.id)
    expect(after.nfc).toBe(true)
    await tap(...Array.from({ length: 10 }, () => tag.chip))
    expect(await show(tag.id)).toEqual(after)
    expect(await eventsOf(tag.id)).toHaveLength(1)
  })

  test('changes updatedAt once', async () => {
    const tag = await create()
    const frozen = tag.updatedAt * 1000
    vi.spyOn(Date, 'now').mockReturnValue(frozen)
    await tap(...Array.from({ length: 20 }, () => tag.chip))
    vi.restoreAllMocks()
    expect((await show(tag.id)).updatedAt).toBe(tag.updatedAt + 1)
  })

  test('of a test tag redirects to the sandbox and keeps its mode', async () => {
    const tag = await create({ testMode: true })
    expect((await tap(tag.chip)).responses).toEqual([[302, `https://test.example/?tag=${tag.id}`]])
    expect(await show(tag.id)).toMatchObject({ nfc: true, testMode: true })
    expect(await eventsOf(tag.id)).toMatchObject([{ testMode: true }])
  })

  test('accepts lower case and letters for digits', async () => {
    const [first, second] = [await create(), await create()]
    await tap(first.chip.toLowerCase())
    const [, , code = '', seal] = second.chip.split('/')
    await tap(`/N/${code.replaceAll('0', 'o').replaceAll('1', 'i')}/${seal}`)
    expect([(await show(first.id)).nfc, (await show(second.id)).nfc]).toEqual([true, true])
  })

  test('writes nothing if nfc is set', async () => {
    const tag = await create({ nfc: true })
    expect(await tap(tag.chip)).toMatchObject({ channels: ['nfc'], writes: [] })
    expect(await show(tag.id)).toMatchObject({ updatedAt: tag.updatedAt })
    expect(await eventsOf(tag.id)).toEqual([])
  })

  test('sets nfc again after a reset', async () => {
    const tag = await create()
    await tap(tag.chip)
    await worker.call('POST', venue.path(`/tags/${tag.id}`), venue.key, { nfc: false })
    await tap(tag.chip)
    expect((await show(tag.id)).nfc).toBe(true)
  })

  test('redirects while the database is down; the next tap is recorded', async () => {
    const tag = await create()
    await worker.fetch(`/t/${tag.code}`)
    worker.failures.database = broken
    const { responses, channels } = await tap(tag.chip)
    expect(responses).toEqual([[302, `https://live.example/?tag=${tag.id}`]])
    expect(channels).toHaveLength(1)
    worker.failures.database = undefined
    expect((await show(tag.id)).nfc).toBe(false)
    await tap(tag.chip)
    expect((await show(tag.id)).nfc).toBe(true)
  })
})

describe('requests that are not taps', () => {
  test('a scan of the symbol or a shared link', async () => {
    const tag = await create()
    const { channels } = await tap(`/t/${tag.code}`, `/T/${tag.code}`, `/t/${tag.id}`)
    expect(channels.sort()).toEqual(['link', 'link', 'qr'])
    expect(await show(tag.id)).toMatchObject({ nfc: false, updatedAt: tag.updatedAt })
  })

  test('a wrong signature, which redirects and changes nothing', async () => {
    const [tag, other] = [await create(), await create()]
    const [, , code, seal = ''] = tag.chip.split('/')
    const [, , , foreign] = other.chip.split('/')
    const wrong = [
      '0000000000000000',
      foreign,
      seal.slice(1),
      `${seal}0`,
      `${seal.slice(0, 15)}${seal.endsWith('0') ? '1' : '0'}`,
      'x',
      '%00',
      '%zz',
      '%F0%9F%92%A5',
      encodeURIComponent('Ä'.repeat(16)),
      encodeURIComponent('ſ'.repeat(16)),
      encodeURIComponent(`${seal}\n`),
      "'%20or%201=1",
      'undefined',
      code,
    ]
    const { responses, channels } = await tap(...wrong.map((guess) => `/n/${code}/${guess}`))
    expect(responses).toEqual(wrong.map(() => [302, `https://live.example/?tag=${tag.id}`]))
    expect(channels).toEqual(wrong.map(() => 'link'))
    expect(await show(tag.id)).toMatchObject({ nfc: false, updatedAt: tag.updatedAt })
    expect(await eventsOf(tag.id)).toEqual([])
  })

  test('robots, previews and HEAD', async () => {
    const tag = await create()
    const requests = [
      { method: 'HEAD' },
      { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } },
      { headers: { 'sec-purpose': 'prefetch' } },
    ]
    for (const init of requests) expect((await worker.fetch(tag.chip, init)).status).toBe(302)
    await worker.settle()
    expect((await show(tag.id)).nfc).toBe(false)
  })

  test('a tap of a deleted tag', async () => {
    const tag = await create()
    await worker.call('DELETE', venue.path(`/tags/${tag.id}`), venue.key)
    const { responses, channels } = await tap(tag.chip)
    expect([responses, channels]).toEqual([[[410, null]], []])
    expect((await eventsOf(tag.id)).map(({ type }) => type)).toEqual(['tag.deleted'])
  })
})

test('signatures depend on the secret of the service', async () => {
  const tag = await create()
  const { results } = await env.DB.prepare(`select value from settings where name = 'signing'`).all()
  expect(results).toHaveLength(1)
  expect(String(results[0]?.['value'])).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(tag)).not.toContain(String(results[0]?.['value']))
})
