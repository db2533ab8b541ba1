import { describe, expect, test } from 'vitest'
import { adminToken, call, createVenue, send, toIssues } from '../../support/api.ts'

const venue = await createVenue()
const create = async () => (await venue.post('/products', { title: 'Tea', price: 1 })).body.id as string
const products = [await create(), await create(), await create()]
const idsIn = (body: { id: string }[]) => body.map(({ id }) => id).sort()

describe('a parameter without a name', () => {
  test.each(['?=x', '?=', '?limit=1&=x', '?=x&limit=1'])('is unknown: %s', async (search) => {
    for (const list of ['/products', '/events', '/audit']) {
      expect(toIssues(await venue.get(list + search))).toEqual([' unknown_parameter'])
    }
    for (const list of ['merchants', 'sessions', `merchants/${venue.id}/backups`]) {
      expect(toIssues(await call('GET', `/admin/${list}${search}`, adminToken))).toContain(' unknown_parameter')
    }
  })

  test('is reported together with other issues', async () => {
    expect(toIssues(await venue.get('/products?=x&limit=0&colour=red'))).toEqual([
      ' unknown_parameter',
      'colour unknown_parameter',
      'limit too_small',
    ])
  })

  test.each(['?', '?&', '?&limit=1', '?q=a=b', '?q==', '?q=&limit=1'])('is absent in %s', async (search) => {
    expect((await venue.get(`/products${search}`)).status).toBe(200)
  })
})

describe('a repeated parameter', () => {
  const [a = '', b = '', c = ''] = products
  test.each([`ids=${a}&ids=${b}`, `ids=${a},${b}`, `ids=${a}&ids=${b},${a}`])(
    'is a list of ids: %s',
    async (search) => {
      const { status, body } = await venue.get(`/products?${search}`)
      expect([status, idsIn(body)]).toEqual([200, [a, b].sort()])
    },
  )

  test('has the same maximum number of ids as one with commas', async () => {
    const repeated = (count: number) =>
      Array.from({ length: count }, (_, n) => `ids=${n === 0 ? a : `x${n}`}`).join('&')
    expect(idsIn((await venue.get(`/products?${repeated(100)}`)).body)).toEqual([a])
    expect(toIssues(await venue.get(`/products?${repeated(101)}`))).toEqual(['ids too_many'])
    expect(toIssues(await venue.get(`/products?ids=${a}&ids=`))).toEqual(['ids invalid_format'])
  })

  test('is in the link to the next page', async () => {
    const first = await venue.get(`/products?ids=${a}&ids=${b}&ids=${c}&limit=2`)
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
    const second = await send(next, { headers: { authorization: `Bearer ${venue.key}` } })
    expect(idsIn([...first.body, ...second.body])).toEqual(products.toSorted())
  })

  test.each(['limit', 'cursor', 'order', 'updatedSince', 'q', 'visible', 'sku'])('rejects %s', async (name) => {
    const response = await venue.get(`/products?${name}=1&${name}=1`)
    expect([response.status, response.body.errors?.map((issue: { parameter: string }) => issue.parameter)]).toEqual([
      422,
      [name],
    ])
  })
})

test('the link to the next page has no host', async () => {
  for (const path of ['/products?limit=1', '/events?limit=1', '/audit?limit=1']) {
    const { headers } = await send(`https://evil.example${venue.path(path)}`, {
      headers: { authorization: `Bearer ${venue.key}`, host: 'evil.example' },
    })
    expect(headers.get('link')).toMatch(/^<\/merchants\/[^>]+>; rel="next"$/)
    expect(headers.get('link')).not.toContain('evil')
  }
})

describe('a slash at the end of a path', () => {
  test.each(['/products/', `/products/${products[0]}/`, '/events/', '/products//'])('is reported: %s', async (path) => {
    const { status, body } = await venue.get(path)
    expect([status, body.code, body.detail]).toEqual([404, 'not_found', expect.stringContaining('trailing slash')])
    expect((await venue.post(path, { title: 'Tea', price: 1 })).body.detail).toContain('trailing slash')
  })

  test('is reported without a key on public paths', async () => {
    expect((await send('/health/')).body.detail).toContain('trailing slash')
  })

  test('is not reported for an unknown path', async () => {
    expect((await venue.get('/nowhere/')).body.detail).not.toContain('slash')
    expect((await send(venue.path('/products/'))).status).toBe(401)
  })
})
