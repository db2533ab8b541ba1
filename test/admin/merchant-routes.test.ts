import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { form, other, tagOf } from '../platform/http/entity-tags.ts'
import { adminToken, call, send, toIssues } from '../support/api.ts'
import { multiply } from '../support/d1.ts'
import { bad, bodyOf, good, profile, refused, settings, templates } from './merchant-values.ts'

const admin = (method: string, path = '', json?: unknown, headers?: Record<string, string>) =>
  call(method, `/admin/merchants${path}`, adminToken, json, headers)
const create = async (fields: object = {}) => (await admin('POST', '', { name: 'Venue', ...fields })).body

describe('a merchant', () => {
  test('lives from create to update, with its defaults', async () => {
    const { status, headers, body } = await admin('POST', '', { name: '  Café Zoë ' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^mer_[0-9a-hjkmnp-tv-z]{26}$/),
      name: 'Café Zoë',
      timezone: 'UTC',
      ...settings,
      home: expect.any(String),
      createdAt: expect.any(Number),
      updatedAt: body.createdAt,
      status: 'active',
    })
    expect(headers.get('location')).toBe(`/admin/merchants/${body.id}`)
    expect((await admin('GET', `/${body.id}`)).body).toEqual(body)
    expect((await admin('GET', '?limit=1')).body).toEqual([body])

    const named = await admin('POST', `/${body.id}`, {
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      sandboxUrl: good[0],
    })
    expect([named.status, named.body]).toEqual([
      200,
      { ...body, currency: 'EUR', timezone: 'Europe/Berlin', sandboxUrl: good[0], updatedAt: expect.any(Number) },
    ])
    expect(named.body.updatedAt).toBeGreaterThan(body.updatedAt)
    const same = await admin('POST', `/${body.id}`, { currency: 'EUR', name: ' Café Zoë' })
    expect([same.status, same.body]).toEqual([200, named.body])
    const cleared = await admin('POST', `/${body.id}`, { currency: null, timezone: null, sandboxUrl: null })
    expect(cleared.body).toEqual({ ...body, updatedAt: expect.any(Number) })
    expect(cleared.body.updatedAt).toBeGreaterThan(named.body.updatedAt)
    expect((await admin('GET', `/${body.id}`)).body).toEqual(cleared.body)
  })

  test.each(refused)('refuses a %s that is %s', async (field, code, values) => {
    const { id } = await create()
    for (const value of values) {
      expect([value, toIssues(await admin('POST', '', { name: 'Venue', ...bodyOf(field, value) }))]).toEqual([
        value,
        [`/${field} ${code}`],
      ])
      expect([value, toIssues(await admin('POST', `/${id}`, bodyOf(field, value)))]).toEqual([
        value,
        [`/${field} ${code}`],
      ])
    }
  })

  test.each(templates)('takes an address for %s, with places to fill in behind the host only', async (field) => {
    const { id } = await create()
    for (const url of good) expect((await admin('POST', `/${id}`, { [field]: url })).body[field]).toBe(url)
    for (const url of bad) {
      const [issue] = toIssues(await admin('POST', `/${id}`, { [field]: url }))
      expect([url, issue]).toEqual([url, `/${field} ${url === '' ? 'too_short' : 'invalid_format'}`])
    }
    expect(toIssues(await admin('POST', `/${id}`, { [field]: `https://order.example/${'x'.repeat(2027)}` }))).toEqual([
      `/${field} too_long`,
    ])
  })

  test('has a profile, which is merged and which null clears', async () => {
    const created = await create(profile)
    expect(created).toMatchObject(profile)
    const { id } = await create()
    expect((await admin('POST', `/${id}`, profile)).body).toMatchObject(profile)
    const moved = await admin('POST', `/${id}`, { address: { city: 'Porto', region: null }, language: 'PT-br' })
    const { region: _, ...address } = profile.address
    expect(moved.body).toMatchObject({ ...profile, address: { ...address, city: 'Porto' }, language: 'pt-BR' })
    expect(moved.body.address.region).toBeUndefined()
    expect((await admin('GET', `/${id}`)).body).toEqual(moved.body)
    const nulls = Object.fromEntries(Object.keys(profile).map((name) => [name, null]))
    const { body } = await admin('POST', `/${id}`, nulls)
    expect(Object.keys(body).filter((name) => name in profile)).toEqual([])
  })

  test('has at most 50 opening hours, each with a day', async () => {
    const hours = { days: ['mon'], opens: '0800', closes: '1800' }
    expect((await create({ openingHours: Array(50).fill(hours) })).openingHours).toHaveLength(50)
    const wrong = [
      { ...hours, days: [] },
      { ...hours, days: ['mon', 'mon'] },
      { ...hours, days: ['monday'] },
      { ...hours, opens: '2400' },
      { ...hours, closes: '2401' },
      { days: ['mon'], opens: '0800' },
    ]
    expect(toIssues(await admin('POST', '', { name: 'Venue', openingHours: wrong }))).toEqual([
      '/openingHours/0/days too_short',
      '/openingHours/1/days/1 duplicate',
      '/openingHours/2/days/0 invalid_value',
      '/openingHours/3/opens invalid_format',
      '/openingHours/4/closes invalid_format',
      '/openingHours/5/closes required',
    ])
  })

  test('has settings for orders, which null resets', async () => {
    const { id } = await create()
    const accepted = [
      { pricesIncludeTax: false, taxRate: 100, taxRounding: 'line', dayStartsAt: '2359' },
      { pricesIncludeTax: true, taxRate: 0.0001, taxRounding: 'rate', dayStartsAt: '0000' },
    ]
    for (const values of accepted) {
      expect(await create(values)).toMatchObject(values)
      expect((await admin('POST', `/${id}`, values)).body).toMatchObject(values)
      expect((await admin('GET', `/${id}`)).body).toMatchObject(values)
    }
    expect(await create({ pricesIncludeTax: 0, taxRate: '7.70' })).toMatchObject({
      ...settings,
      pricesIncludeTax: false,
      taxRate: 7.7,
    })
    const nulls = { pricesIncludeTax: null, taxRate: null, taxRounding: null, dayStartsAt: null }
    expect((await admin('POST', `/${id}`, nulls)).body).toMatchObject(settings)
    expect(await create(nulls)).toMatchObject(settings)
  })

  test('names every issue at once', async () => {
    const { id } = await create()
    expect(
      toIssues(await admin('POST', '', { id: 'mer_1', createdAt: 1, updatedAt: 2, colour: 'red', currency: 1 })),
    ).toEqual([
      '/colour unknown_field',
      '/createdAt read_only_field',
      '/currency invalid_type',
      '/id read_only_field',
      '/name required',
      '/updatedAt read_only_field',
    ])
    expect(toIssues(await admin('POST', `/${id}`, { name: null, timezone: 'x' }))).toEqual([
      '/name required',
      '/timezone invalid_format',
    ])
    expect(toIssues(await admin('POST', '', []))).toEqual(['400 malformed_body'])
    expect(
      (await send('/admin/merchants', { method: 'POST', headers: { authorization: `Bearer ${adminToken}` } })).status,
    ).toBe(415)
  })

  test('is not there where none was made', async () => {
    for (const id of ['mer_1', '%00', "'", '%2F', 'x'.repeat(3000)]) {
      expect((await admin('GET', `/${id}`)).status).toBe(404)
      expect((await admin('POST', `/${id}`, { name: 'Venue' })).status).toBe(404)
      expect(toIssues(await admin('POST', `/${id}`, { name: '' }))).toEqual(['/name too_short'])
    }
  })

  test('survives two updates of different fields at once', async () => {
    const { id } = await create()
    await Promise.all([
      ...Array.from({ length: 10 }, (_, n) => admin('POST', `/${id}`, { name: `Name ${n}` })),
      admin('POST', `/${id}`, { currency: 'CHF' }),
      admin('POST', `/${id}`, { timezone: 'Europe/Zurich' }),
    ])
    expect((await admin('GET', `/${id}`)).body).toMatchObject({ currency: 'CHF', timezone: 'Europe/Zurich' })
  })

  test('is listed in pages', async () => {
    const first = await create()
    await multiply('merchants', first.id, 120)
    expect((await admin('GET')).body).toHaveLength(50)
    const { results } = await env.DB.prepare('select id from merchants order by id').all<{ id: string }>()
    for (const order of ['asc', 'desc']) {
      const seen: string[] = []
      let next: string | undefined = `/admin/merchants?limit=100&order=${order}`
      while (next !== undefined && seen.length < 1000) {
        const { headers, body } = await call('GET', next, adminToken)
        seen.push(...body.map(({ id }: { id: string }) => id))
        next = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      }
      const ids = results.map(({ id }) => id)
      expect(seen).toEqual(order === 'asc' ? ids : ids.reverse())
    }
    expect(toIssues(await admin('GET', '?limit=101&cursor=x&order=z&name=Venue'))).toEqual([
      'cursor invalid_format',
      'limit too_large',
      'name unknown_parameter',
      'order invalid_value',
    ])
  })
})

test('merchants have entity tags', async () => {
  const made = await admin('POST', '', { name: 'A' })
  const [path, etag] = [`/${made.body.id}`, tagOf(made)]
  expect(etag).toMatch(form)
  expect(tagOf(await admin('GET', path))).toBe(etag)
  expect((await admin('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
  expect((await admin('POST', path, { name: 'B' }, { 'if-match': other(etag) })).status).toBe(412)
  const names = Array.from({ length: 10 }, (_, n) => `C${n}`)
  const responses = await Promise.all(names.map((name) => admin('POST', path, { name }, { 'if-match': etag })))
  const [winner, ...more] = responses.filter(({ status }) => status === 200)
  expect([more.length, responses.filter(({ status }) => status === 412).length]).toEqual([0, 9])
  const now = await admin('GET', path)
  expect([now.body, tagOf(now)]).toEqual([winner?.body, winner && tagOf(winner)])
  expect((await admin('POST', '/mer_none', { name: 'B' }, { 'if-match': etag })).status).toBe(404)

  const older = await admin('POST', `${path}/tags`, {})
  const { body: key } = await admin('POST', `${path}/keys`, { mode: 'live' })
  expect(tagOf(older)).toMatch(form)
  expect(tagOf(await call('GET', `/merchants${path}/tags/${older.body.id}`, key.key))).toBe(tagOf(older))
})
