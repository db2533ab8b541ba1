import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { adminToken, call, send, toIssues } from '../support/api.ts'
import { multiply } from '../support/d1.ts'

const admin = (method: string, path = '', json?: unknown) => call(method, `/admin/merchants${path}`, adminToken, json)
const create = async (fields: object = {}) => (await admin('POST', '', { name: 'Venue', ...fields })).body

const refused: [field: string, code: string, values: unknown[]][] = [
  ['name', 'too_short', ['', ' ']],
  ['name', 'too_long', ['x'.repeat(256), '😀'.repeat(256)]],
  ['name', 'invalid_type', [1, [], {}, true]],
  ['name', 'invalid_character', ['a\0b', '\ud800']],
  ['timezone', 'invalid_format', ['', 'Mars/Olympus', 'Europe/Berlin ', '+01:00', 'utc+1', 'Europe', '../etc/passwd']],
  ['timezone', 'invalid_type', [1, {}]],
  ['currency', 'invalid_format', ['', 'EU', 'eur', 'ZZZ', '€', 'XYZ']],
  ['currency', 'too_long', ['EURO']],
  ['currency', 'invalid_type', [978]],
  ['pricesIncludeTax', 'invalid_type', ['yes', 2, 'true', []]],
  ['taxRate', 'too_small', [-0.0001, -1]],
  ['taxRate', 'too_large', [100.0001, 1_000]],
  ['taxRate', 'too_precise', [0.00001, 33.33333]],
  ['taxRate', 'invalid_type', [true, []]],
  ['taxRate', 'invalid_format', ['7,7', '7%']],
  ['taxRounding', 'invalid_value', ['', 'RATE', 'item', 1]],
  ['dayStartsAt', 'invalid_format', ['', '400', '04:00', '2400', '0460', '04000']],
  ['dayStartsAt', 'invalid_type', [400]],
  ['language', 'invalid_format', ['german', 'de_DE', 'd€', '-de', 'de-']],
  ['language', 'too_short', ['', 'd']],
  ['language', 'too_long', ['de-'.padEnd(36, 'x')]],
  ['logo', 'invalid_format', ['logo.png', 'javascript:alert(1)', 'data:image/png;base64,AA==']],
  ['color', 'invalid_format', ['', 'red', '#fff', '9a3b12', '#9a3b1g', '#9a3b1;']],
  ['color', 'too_long', ['#9a3b12ff']],
  ['address', 'invalid_type', ['Main Street 1', []]],
  ['address/country', 'invalid_format', ['', 'X', 'pt', 'ZZ', 'QQ']],
  ['address/country', 'too_long', ['PRT']],
  ['address/city', 'too_long', ['x'.repeat(256)]],
  ['address/planet', 'unknown_field', ['Earth']],
  ['phone', 'invalid_format', ['call us', 'tel:+351']],
  ['website', 'invalid_format', ['otter.example', 'javascript:alert(1)']],
  ['openingHours', 'too_many', [Array(51).fill({ days: ['mon'], opens: '0800', closes: '1800' })]],
  ['openingHours', 'invalid_type', [{}, 'daily']],
]
/** The body with the value of a field, which a path names: `address/country`. */
const bodyOf = (field: string, value: unknown) => {
  const [outer = '', inner] = field.split('/')
  return { [outer]: inner === undefined ? value : { [inner]: value } }
}
const profile = {
  language: 'pt-PT',
  logo: 'https://otter.example/logo.png',
  color: '#9A3B12',
  address: { street: 'Rua do Ouro 1', postalCode: '1100-060', city: 'Lisboa', region: 'Lisboa', country: 'PT' },
  phone: '+351 21 000 00 00',
  website: 'https://otter.example/',
  openingHours: [
    { days: ['mon', 'tue'], opens: '0000', closes: '2400' },
    { days: ['sat'], opens: '1800', closes: '0200' },
  ],
}
const settings = { pricesIncludeTax: true, taxRate: 0, taxRounding: 'rate', dayStartsAt: '0400' }
const templates = ['orderingUrl', 'sandboxUrl']
const good = [
  'https://order.example/{merchant}/table?tag={tag}&code={code}#x',
  'http://localhost:3000/',
  'https://order.example/?t={metadata.table}&r={metadata.Raum Ü}',
  'https://order.example',
  'HTTPS://ORDER.EXAMPLE/{tag}',
  `https://order.example/${'x'.repeat(2026)}`,
]
const bad = [
  'https://{tag}.example/',
  'https://{merchant}/x',
  'https://order.example:{code}/',
  'https://{metadata.host}/{tag}',
  'https://order.example/{table}',
  'https://order.example/{metadata.}',
  'https://order.example/{Tag}',
  'https://order.example/{tag',
  'https://order.example/tag}',
  'https://order.example/{{tag}}',
  'https://order.example/{}',
  'ftp://order.example/{tag}',
  'javascript:alert(1)',
  'order.example/{tag}',
  '//order.example/{tag}',
  'https:///{tag}',
  'https:order.example',
  'https://order.example/a b',
  'https://order.example/\n',
  ' https://order.example/',
  'https://\\{tag}.example/',
  '',
]

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
