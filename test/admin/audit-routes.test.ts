import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { purgeBounds } from '../../src/app/maintenance/purges.ts'
import { auditRetentionDays } from '../../src/platform/db/audit-log.ts'
import { createIdAt } from '../../src/platform/lib/ids.ts'
import { count, type Entry, log, toEntries } from '../platform/db/audit-entries.ts'
import { call, createKey, createVenue, toIssues } from '../support/api.ts'
import { observe, plansOf } from '../support/d1.ts'
import { purgeNow } from '../support/purges.ts'

describe('the list', () => {
  test('contains one merchant and mode', async () => {
    const venue = await createVenue()
    const [tester, stranger] = [await createKey(venue.id, { mode: 'test' }), await createVenue()]
    const live = (await venue.post('/tags', { testMode: true })).body.id
    const own = (await tester.post('/tags', {})).body.id
    expect(toEntries(await log(tester))).toEqual([`tags.create ${own}`])
    expect((await log(tester)).every(({ testMode }) => testMode)).toBe(true)
    expect(toEntries(await log(venue, '?operation=tags.create'))).toEqual([`tags.create ${live}`])
    expect(toEntries(await log(stranger, `?object=${live}`))).toEqual([])
    expect((await stranger.request('GET', '/audit')).status).toBe(200)
    expect((await call('GET', stranger.path('/audit'), venue.key)).status).toBe(403)
  })

  test('needs its scope, and is read only', async () => {
    const venue = await createVenue()
    const writer = await createKey(venue.id, { mode: 'live', scopes: ['products:write', 'events:write'] })
    const refused = await writer.get('/audit')
    expect([refused.status, refused.body.detail]).toEqual([403, 'The key lacks the scope audit:read.'])
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['audit:read'] })
    expect((await reader.get('/audit')).status).toBe(200)
    expect((await venue.post('/audit', {})).status).toBe(405)
    expect((await venue.remove('/audit')).status).toBe(405)
  })

  test('is paged, ordered and filtered as lists are', async () => {
    const venue = await createVenue()
    const second = await createKey(venue.id, { mode: 'live' })
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      const { body } = await (n % 2 ? second : venue).post('/customers', { firstName: 'A', lastName: `${n}` })
      ids.push(body.id)
    }
    const walk = async (search: string) => {
      const seen: string[] = []
      let pages = 0
      for (let next: string | undefined = `/audit?limit=2&${search}`; next && pages < 10; pages++) {
        const { status, headers, body } = await venue.get(next)
        expect(status).toBe(200)
        seen.push(...body.map(({ object }: Entry) => object))
        next = /<.*(\/audit\?.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      }
      return { seen, pages }
    }
    const made = 'operation=customers.create'
    expect(await walk(`${made}&order=asc`)).toEqual({ seen: ids, pages: 3 })
    expect(await walk(made)).toEqual({ seen: ids.toReversed(), pages: 3 })
    expect((await walk(`key=${second.keyId}`)).seen).toEqual([ids[3], ids[1]])
    expect((await walk(`key=${second.keyId}&${made}&object=${ids[1]}`)).seen).toEqual([ids[1]])
    expect((await walk(`key=operator&object=${ids[1]}`)).seen).toEqual([])
    expect((await walk('key=operator')).seen).toEqual([second.keyId, venue.keyId, venue.id])
    expect((await walk('operation=nonsense')).seen).toEqual([])

    const issues = async (search: string) => toIssues(await venue.get(`/audit?${search}`))
    expect(await issues('limit=101&q=x&order=up&ids=a&object=a&object=b')).toEqual([
      'ids unknown_parameter',
      'limit too_large',
      'object invalid_type',
      'order invalid_value',
      'q unknown_parameter',
    ])
    const { headers } = await venue.get(`/audit?limit=1&${made}`)
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
    expect(await issues(`cursor=${cursor}`)).toEqual(['cursor invalid_value'])
    expect((await venue.get(`/audit?${made}&cursor=${cursor}`)).status).toBe(200)
    const tester = await createKey(venue.id, { mode: 'test' })
    expect(toIssues(await tester.get(`/audit?${made}&cursor=${cursor}`))).toEqual(['cursor invalid_value'])
  })

  test('costs one call, and is read by an index', async () => {
    const venue = await createVenue()
    for (const [search, index] of [
      ['', /PRIMARY KEY \(merchant_id=\? AND test_mode=\? AND id<\?\)/],
      ['?order=asc', /PRIMARY KEY \(merchant_id=\? AND test_mode=\? AND id>\?\)/],
      ['?object=x', /audit_object \(merchant_id=\? AND test_mode=\? AND object=\? AND id<\?\)/],
    ] as const) {
      const { trips } = await observe('GET', venue.path(`/audit${search}`), { key: venue.key })
      const statements = trips.flatMap(({ statements }) => statements).filter((sql) => /audit/.test(sql))
      expect(statements).toHaveLength(1)
      expect(trips.filter(({ statements }) => /audit/.test(`${statements}`))).toHaveLength(1)
      const [plan = []] = await plansOf(statements)
      expect(plan).toHaveLength(1)
      expect(plan[0]).toMatch(index)
    }
  })
})

describe('the purge', () => {
  test('deletes rows older than 90 days in batches, and no others', async () => {
    const venue = await createVenue()
    const now = Date.now()
    const insert = (prefix: string, rows: number, atMs: number) =>
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
         insert into audit select ?, i & 1, substr(?, 1, 20) || printf('%010d', i), 1800000000, 'key_' || printf('%026d', i), 'req_' || printf('%026d', i), ?,
           'prod_' || printf('%026d', i), null from n`,
      )
        .bind(rows, venue.id, createIdAt('aud', atMs), prefix)
        .run()
    const old = 2 * purgeBounds.rows + 500
    const bytes = async () => (await env.DB.prepare('select 1').run()).meta.size_after
    const size = await bytes()
    await insert('old', old, now - auditRetentionDays * 86_400_000 - 60_000)
    console.log(`figure: bytes in D1 for an entry of the audit log, ${Math.ceil(((await bytes()) - size) / old)}`)
    await insert('young', 10, now - auditRetentionDays * 86_400_000 + 60_000)
    const before = await count(`operation not in ('old', 'young')`)
    expect(await count(`operation = 'old'`)).toBe(old)
    await purgeNow(env, now)
    expect([await count(`operation = 'old'`), await count(`operation = 'young'`)]).toEqual([0, 10])
    expect(await count(`operation not in ('old', 'young')`)).toBe(before)
  })
})
