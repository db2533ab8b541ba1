import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import { maxExportPageRows } from '../../../../src/bulk/export/export-pages.ts'
import { exportRoutes } from '../../../../src/bulk/export/export-routes.ts'
import { authenticate } from '../../../../src/platform/auth/authenticate.ts'
import type { Env } from '../../../../src/platform/http/context.ts'
import { onError } from '../../../../src/platform/http/problem-details.ts'
import { createVenue, origin } from '../../../support/api.ts'
import { multiply } from '../../../support/d1.ts'
import { moveTo } from '../../../support/moves.ts'
import { letArrive, outdateChecks, restoreChecks, runElsewhere, startSlowly } from './slow-requests.ts'

afterEach(restoreChecks)

const homes = [
  { home: 'd1', target: 'object' },
  { home: 'object', target: 'd1' },
] as const
const json = 'application/json'
const product = { title: 'Late', price: 1 }
const requests = [
  ['POST', '/products', json, JSON.stringify(product), 201],
  ['PUT', '/products/external/LATE', json, JSON.stringify(product), 201],
  ['POST', '/tags', json, '{}', 201],
  [
    'POST',
    '/batch',
    json,
    JSON.stringify({ operations: [{ op: 'create', resource: 'products', body: product }] }),
    200,
  ],
  ['POST', '/events', json, JSON.stringify({ type: 'order.created', data: { order: 'o1' } }), 202],
  ['POST', '/imports?resource=products&apply=true', 'text/csv', 'title,price\nLate,1\n', 202],
] as const

/** The routes without the check of the OpenAPI document, which reads responses to their end. */
const app = new Hono<Env>()
  .route('/merchants/:merchantId', new Hono<Env>().use(authenticate).route('/export', exportRoutes))
  .onError(onError)

describe.each(homes)('a merchant that moves from $home to $target', ({ home, target }) => {
  test.each([true, false])('while bodies arrive loses none of them; checks of rights are old: %s', async (isOld) => {
    const venue = await createVenue({ home })
    const { body: known } = await venue.post('/products', { title: 'Known', price: 1 })
    const headers = { authorization: `Bearer ${venue.key}` }
    const started = [
      ...requests.map(([method, path, type, text, status]) => ({
        path,
        status,
        finish: startSlowly(method, venue.path(path), { ...headers, 'content-type': type }, text),
      })),
      {
        path: 'update',
        status: 200,
        finish: startSlowly('POST', venue.path(`/products/${known.id}`), headers, JSON.stringify({ price: 2 })),
      },
    ]
    await letArrive()
    expect(await moveTo(venue.id, target)).toMatchObject({ state: 'done' })
    if (isOld) outdateChecks()
    const finished = await Promise.all(
      started.map(async ({ path, status, finish }) => [path, status, (await finish()).status]),
    )
    expect(finished.filter(([, wanted, status]) => wanted !== status)).toEqual([])
    const { body: products } = await venue.get('/products?q=late')
    expect(products.length).toBeGreaterThanOrEqual(3)
    expect((await venue.get('/tags')).body).toHaveLength(1)
    expect((await venue.get('/imports')).body).toHaveLength(1)
    expect((await venue.get(`/products/${known.id}`)).body.price).toBe(2)
    const { body: events } = await venue.get('/events?limit=100')
    expect(events.filter(({ type }: { type: string }) => type === 'order.created')).toHaveLength(1)
  })

  test('while an export runs is exported to the end', async () => {
    const venue = await createVenue({ home })
    const { body: first } = await venue.post('/products', product)
    const count = 2 * maxExportPageRows + 1
    await multiply('products', first.id, count - 1)
    const response = await app.fetch(
      new Request(`${origin}${venue.path('/export?resources=products')}`, {
        headers: { authorization: `Bearer ${venue.key}` },
      }),
      env,
      createExecutionContext(),
    )
    const reader = response.body?.getReader() ?? expect.fail('no body')
    const decoder = new TextDecoder()
    const read = async () => decoder.decode((await reader.read()).value)
    let text = (await read()) + (await read())
    expect(await moveTo(venue.id, target)).toMatchObject({ state: 'done' })
    for (let part = await read(); part !== ''; part = await read()) text += part
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toEqual({ end: { counts: { products: count } } })
    expect(new Set(lines.slice(1, -1).map(({ object }) => object.id)).size).toBe(count)
  })
})

describe.each([{ home: 'd1' }, { home: 'object' }] as const)('an export of a merchant at home $home', ({ home }) => {
  test.each([
    ['suspended', 'update merchants set suspended_at = 1 where id = ?'],
    ['closed', 'update merchants set closed_at = 1 where id = ?'],
    ['without its keys', 'delete from keys where merchant_id = ?'],
  ])('is cut off when it is %s', async (_what, sql) => {
    const venue = await createVenue({ home })
    const { body: first } = await venue.post('/products', product)
    await multiply('products', first.id, maxExportPageRows)
    const response = await app.fetch(
      new Request(`${origin}${venue.path('/export?resources=products')}`, {
        headers: { authorization: `Bearer ${venue.key}` },
      }),
      env,
      createExecutionContext(),
    )
    const reader = response.body?.getReader() ?? expect.fail('no body')
    await reader.read()
    await runElsewhere(sql, venue.id)
    outdateChecks()
    await expect(reader.read()).rejects.toThrow()
  })
})
