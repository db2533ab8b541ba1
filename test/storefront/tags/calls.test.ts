import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { adminToken, call, send } from '../../support/api.ts'
import { queryHome, ringAlarm } from '../../support/home.ts'
import { moveTo } from '../../support/moves.ts'
import { ask, change, createTable, createTag, getSeat, listEvents, listOpen, menuBar, scan } from './call-table.ts'

// A Sunday, 20:00 in UTC.
const start = Date.parse('2026-11-22T20:00:00Z')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => vi.useRealTimers())
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

describe.each(['d1', 'object'] as const)('calls of guests of a venue in %s', (home) => {
  test('come from the form of the menu, are listed, and are done in one request', async () => {
    const { venue, tag } = await createTable({ home })
    const address = await scan(`/t/${tag.code}?lang=de`)
    const page = await send(`${address.pathname}${address.search}`)
    expect(page.body).toContain('<button name="kind" value="call">Personal rufen</button>')
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(page.body) ?? []
    const hidden = Array.from<RegExpMatchArray>(page.body.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g))
    const form = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
    const taken = await send(action, { method: 'POST', body: new URLSearchParams({ ...form, kind: 'bill' }) })
    expect(taken.status).toBe(303)
    const back = await send(taken.headers.get('location') ?? '')
    expect(back.body).toContain('class="asked-bill"')
    expect((await venue.get('/requests')).body).toEqual({
      kinds: ['call', 'bill'],
      requests: [{ tag: tag.id, kind: 'bill', requestedAt: start / 1000, metadata: [{ key: 'Table', value: '4' }] }],
    })
    expect(await listEvents(venue)).toEqual([{ tag: tag.id, kind: 'bill' }])
    const path = `/tags/${tag.id}/requests/bill/done`
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await venue.post(path, {})).toMatchObject({ status: 200, body: { tag: tag.id, kind: 'bill', done: true } })
    expect(await listOpen(venue)).toEqual([])
    // Once, although the request was repeated.
    expect(await listEvents(venue, 'tag.request_done')).toEqual([{ tag: tag.id, kind: 'bill' }])
    expect((await venue.post(`/tags/${tag.id}/requests/call/done`, {})).status).toBe(404)
    expect((await venue.post(`/tags/${tag.id}/requests/song/done`, {})).status).toBe(404)
  })

  test('are open once for each table and kind, and three in ten minutes', async () => {
    const { venue, tag, seat } = await createTable({ home })
    const press = async (kind: string) => (await ask(venue.id, { tag: tag.id, kind, seat })).status
    const together = await Promise.all(Array.from({ length: 5 }, () => press('call')))
    expect(together).toEqual(Array(5).fill(303))
    expect(await listEvents(venue)).toHaveLength(1)
    const finish = (kind: string) => venue.post(`/tags/${tag.id}/requests/${kind}/done`, {})
    expect(await press('bill')).toBe(303)
    await finish('call')
    expect(await press('call')).toBe(303)
    // The open call is still the same one.
    expect(await press('call')).toBe(303)
    await finish('call')
    const refused = await ask(venue.id, { tag: tag.id, kind: 'call', seat })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
    expect(await listEvents(venue)).toHaveLength(3)
    advance(601)
    expect(await press('call')).toBe(303)
  })

  test('are gone after 30 minutes, done or not, from the list at once and from the database with the next sweep', async () => {
    const { venue, tag, seat } = await createTable({ home })
    await ask(venue.id, { tag: tag.id, kind: 'call', seat })
    await ask(venue.id, { tag: tag.id, kind: 'bill', seat })
    await venue.post(`/tags/${tag.id}/requests/bill/done`, {})
    // The database and the Worker round seconds on their own.
    advance(1_785)
    expect(await listOpen(venue)).toEqual([[tag.id, 'call']])
    advance(16)
    expect(await listOpen(venue)).toEqual([])
    if (home === 'object') await ringAlarm(venue.id)
    else {
      const { runScheduled } = await import('../../../src/app/maintenance/maintenance.ts')
      await runScheduled(env)
    }
    expect(await queryHome(venue.id, 'select id from tag_requests where merchant_id = ?', venue.id)).toEqual([])
  })

  test('are 30 at a time in a venue', async () => {
    const { venue } = await createTable({ home })
    const tags = await Promise.all(Array.from({ length: 16 }, (_, n) => createTag(venue, `${n}`)))
    const statuses: number[] = []
    for (const tag of tags) {
      const seat = (await getSeat(`/t/${tag.code}`)) ?? ''
      for (const kind of ['call', 'bill']) statuses.push((await ask(venue.id, { tag: tag.id, kind, seat })).status)
    }
    expect(statuses).toEqual([...Array(30).fill(303), 429, 429])
    expect(await listOpen(venue)).toHaveLength(30)
  })

  test('stop while the venue is paused, closed by its hours or suspended, and when it switches them off', async () => {
    const openingHours = [{ days: ['sun'], opens: '1000', closes: '2300' }]
    const { venue, tag, seat } = await createTable({ home, openingHours, timezone: 'UTC' })
    const press = async () => (await ask(venue.id, { tag: tag.id, kind: 'call', seat })).status
    await venue.post('/service', { paused: true })
    expect(await press()).toBe(409)
    await venue.post('/service', { paused: false })
    await change(venue, { openingHours: [{ days: ['mon'], opens: '1000', closes: '2300' }] })
    expect(await press()).toBe(409)
    await change(venue, { openingHours, menuBar: { actions: ['bill'] } })
    expect(await press()).toBe(403)
    await change(venue, { menuBar: null })
    expect(await press()).toBe(403)
    await change(venue, { menuBar, orderingUrl: 'https://order.example/{tag}' })
    expect(await press()).toBe(403)
    await change(venue, { orderingUrl: null })
    expect(await press()).toBe(303)
    await call('POST', `/admin/merchants/${venue.id}/suspend`, adminToken, {})
    expect(await press()).toBe(409)
  })

  test('move with the venue', async () => {
    const { venue, tag, seat } = await createTable({ home })
    await ask(venue.id, { tag: tag.id, kind: 'call', seat })
    await moveTo(venue.id, home === 'd1' ? 'object' : 'd1')
    expect(await listOpen(venue)).toEqual([[tag.id, 'call']])
    expect((await venue.post(`/tags/${tag.id}/requests/call/done`, {})).status).toBe(200)
  })
})
