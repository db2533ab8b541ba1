import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signSeat } from '../../../src/storefront/tags/calls/seat.ts'
import { createKey, createVenue, send } from '../../support/api.ts'
import { ask, change, createTable, createTag, getSeat, listOpen, menuBar, scan } from './call-table.ts'

// A Sunday, 20:00 in UTC.
const start = Date.parse('2026-11-22T20:00:00Z')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => vi.useRealTimers())
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

test('a call needs a seat that its own tag has issued in the last hours', async () => {
  const { venue, tag, seat } = await createTable()
  const other = await createTag(venue, '5')
  const foreign = await createTable()
  const press = async (form: Record<string, string>, merchantId = venue.id) =>
    (await ask(merchantId, { tag: tag.id, kind: 'call', ...form })).status
  const [channel, hour = '', seal = ''] = seat.split('.')
  const forged = [
    '',
    'x',
    `${channel}.${hour}.${seal.slice(0, -1)}`,
    `${channel}.${hour}.${seal.startsWith('0') ? '1' : '0'}${seal.slice(1)}`,
    `nfc.${hour}.${seal}`,
    `${channel}.${Number(hour) + 1}.${seal}`,
    `${channel}.${Number(hour) - 1}.${seal}`,
    `${channel}.0.${seal}`,
  ]
  for (const each of forged) expect([each, await press({ seat: each })]).toEqual([each, 403])
  expect(await press({})).toBe(403)
  expect(await press({ seat, tag: other.id })).toBe(403)
  expect(await press({ seat: foreign.seat })).toBe(403)
  expect(await press({ seat: foreign.seat, tag: foreign.tag.id })).toBe(403)
  expect(await press({ seat }, foreign.venue.id)).toBe(403)
  expect(await listOpen(venue)).toEqual([])
  expect(await listOpen(foreign.venue)).toEqual([])
  advance(3 * 3_600)
  expect(await press({ seat })).toBe(303)
  await venue.post(`/tags/${tag.id}/requests/call/done`, {})
  advance(3_600)
  expect(await press({ seat })).toBe(403)
})

test('a scan whose seat cannot be signed opens the menu without it', async () => {
  const { venue, tag } = await createTable()
  vi.spyOn(console, 'error').mockReturnValue()
  const sign = vi.spyOn(crypto.subtle, 'sign')
  for (const name of [tag.code, tag.id]) {
    sign.mockRejectedValueOnce(new Error('no signature'))
    const { status, headers } = await send(`/t/${name}`)
    expect([status, headers.get('location')]).toEqual([302, `/m/${venue.id}?tag=${tag.id}`])
  }
  sign.mockRestore()
  expect((await send(`/t/${tag.code}`)).headers.get('location')).toContain('&seat=link.')
})

test('a form that is no call is refused, and a deleted tag takes none', async () => {
  const { venue, tag, seat } = await createTable()
  const path = `/m/${venue.id}/requests`
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = JSON.stringify({ tag: tag.id, kind: 'call', seat })
  expect((await send(path, { method: 'POST', body, headers: json })).status).toBe(415)
  expect((await send(path, { method: 'POST', body: 'x'.repeat(2_049), headers: form })).status).toBe(413)
  expect((await ask(venue.id, { tag: tag.id, kind: 'dance', seat })).status).toBe(422)
  expect((await ask(venue.id, { kind: 'call', seat })).status).toBe(422)
  expect((await ask(venue.id, { tag: 'tag_00000000000000000000000000', kind: 'call', seat })).status).toBe(404)
  expect((await send(path)).status).toBe(404)
  await venue.remove(`/tags/${tag.id}`)
  expect((await ask(venue.id, { tag: tag.id, kind: 'call', seat })).status).toBe(410)
})

test('only taps of the chip call where the venue requires it', async () => {
  const { venue, tag } = await createTable({ menuBar: { actions: ['call'], requireTap: true } })
  const { pathname } = new URL(tag.nfcUrl)
  const forged = `/n/${tag.code}/ABCDEFGH12345678`
  const results: [boolean, number][] = []
  for (const path of [`/T/${tag.code}`, forged, pathname]) {
    const address = await scan(path)
    const page = await send(`${address.pathname}${address.search}`)
    const seat = address.searchParams.get('seat') ?? ''
    const { status } = await ask(venue.id, { tag: tag.id, kind: 'call', seat })
    results.push([page.body.includes('<button name="kind" value="call">'), status])
  }
  expect(results).toEqual([
    [false, 403],
    [false, 403],
    [true, 303],
  ])
})

test('the redirect has no seat unless the venue takes calls, and none with an ordering system', async () => {
  const { venue, tag } = await createTable({ menuBar: undefined })
  const seats = async () => [await getSeat(`/t/${tag.code}`), await getSeat(`/T/${tag.code}`)]
  expect(await seats()).toEqual([null, null])
  await change(venue, { menuBar: { actions: ['order', 'share'] } })
  expect(await seats()).toEqual([null, null])
  await change(venue, { menuBar })
  expect(await seats()).toEqual([expect.stringMatching(/^link\./), expect.stringMatching(/^qr\./)])
  await change(venue, { orderingUrl: 'https://order.example/{tag}' })
  expect(await seats()).toEqual([null, null])
})

test('the page from the cache has no seat, and each guest gets the own one', async () => {
  const { venue, tag, seat } = await createTable()
  const own = (await signSeat(env, tag.id, 'qr')) ?? ''
  const path = `/m/${venue.id}?tag=${tag.id}`
  const pages = await Promise.all(
    [path, `${path}&seat=${seat}`, `${path}&seat=${own}`, `${path}&seat=a"b`].map((each) => send(each)),
  )
  const buttons = pages.map(({ body }) => body.includes(`<form method="post"`) && !body.includes('<!--calls:'))
  expect(buttons).toEqual([false, true, true, false])
  expect(pages.map(({ body }) => [body.includes(seat), body.includes(own)])).toEqual([
    [false, false],
    [true, false],
    [false, true],
    [false, false],
  ])
  expect(pages.map(({ headers }) => headers.get('cache-control')?.split(',')[0])).toEqual([
    'public',
    'private',
    'private',
    'public',
  ])
  expect(new Set(pages.map(({ headers }) => headers.get('etag'))).size).toBe(2)
  const links = Array.from<RegExpMatchArray>((pages[1]?.body ?? '').matchAll(/href="\?tag=[^"]*"/g))
  for (const [link] of links) expect(link).toContain(`&amp;seat=${seat}`)
})

test('calls of one mode and one venue stay there, and need the scope for stock', async () => {
  const { venue, tag, seat } = await createTable()
  const other = await createVenue({ menuBar })
  const tests = await createKey(venue.id, { mode: 'test' })
  await ask(venue.id, { tag: tag.id, kind: 'call', seat })
  expect([await listOpen(tests), await listOpen(other)]).toEqual([[], []])
  const path = `/tags/${tag.id}/requests/call/done`
  expect([(await tests.post(path, {})).status, (await other.post(path, {})).status]).toEqual([404, 404])
  const reader = await createKey(venue.id, { mode: 'live', scopes: ['stock:read'] })
  const labels = await createKey(venue.id, { mode: 'live', scopes: ['tags:write', 'events:read'] })
  expect([(await reader.get('/requests')).status, (await reader.post(path, {})).status]).toEqual([200, 403])
  expect([(await labels.get('/requests')).status, (await labels.post(path, {})).status]).toEqual([403, 403])
  expect(await listOpen(venue)).toEqual([[tag.id, 'call']])
})
