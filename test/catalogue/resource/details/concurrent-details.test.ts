import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { observe } from '../../../support/d1.ts'
import { createProduct, full, toDetailsPath, useVenue, venue } from './detailed-objects.ts'

useVenue()

describe('concurrent changes', () => {
  test('of different fields are all kept', async () => {
    const path = toDetailsPath(await createProduct())
    const bodies = Object.entries(full).map(([key, value]) => ({ [key]: value }))
    const responses = await Promise.all(bodies.map((body) => venue.post(path, body)))
    expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    expect((await venue.get(path)).body).toEqual(full)
  })

  test('are detected with If-Match, and If-None-Match saves the body', async () => {
    const path = toDetailsPath(await createProduct())
    const first = (await venue.get(path)).headers.get('etag') ?? ''
    expect((await venue.get(path, { 'if-none-match': first })).status).toBe(304)
    expect((await venue.post(path, { ageLimit: 16 }, { 'if-match': first })).status).toBe(200)
    expect((await venue.post(path, { ageLimit: 17 }, { 'if-match': first })).status).toBe(412)
    expect((await venue.get(path)).body).toEqual({ ageLimit: 16 })
  })

  test('written between read and write are merged', async () => {
    const id = await createProduct()
    await venue.post(toDetailsPath(id), { translations: { fr: { title: 'Thé' } } })
    let trips = 0
    const late = await observe('POST', venue.path(toDetailsPath(id)), {
      key: venue.key,
      json: { translations: { de: { title: 'Tee' } } },
      before: async () => {
        // Another isolate, between the read and the write of the first attempt.
        if (++trips !== 2) return
        const isObject = `resource = 'products' and object = (select seq from products where id = ?)`
        await env.DB.batch([
          env.DB.prepare(`update details set version = 2, data = '{"ageLimit":18}' where ${isObject}`).bind(id),
          env.DB.prepare(`delete from translations where ${isObject}`).bind(id),
        ])
      },
    })
    expect([late.status, late.body, late.trips.length]).toEqual([
      200,
      { ageLimit: 18, translations: { de: { title: 'Tee' } } },
      4,
    ])
    expect((await venue.get(toDetailsPath(id))).body).toEqual(late.body)
  })

  test('of a product deleted in between leave nothing', async () => {
    const id = await createProduct()
    let trips = 0
    const late = await observe('POST', venue.path(toDetailsPath(id)), {
      key: venue.key,
      json: full,
      before: async () => {
        if (++trips === 2) await venue.remove(`/products/${id}`)
      },
    })
    expect(late.status).toBe(404)
  })
})

test('a repeated request with one Idempotency-Key returns the same response', async () => {
  const path = toDetailsPath(await createProduct())
  const key = { 'idempotency-key': crypto.randomUUID() }
  const first = await venue.post(path, { ageLimit: 16 }, key)
  await venue.post(path, { ageLimit: 18 })
  const again = await venue.post(path, { ageLimit: 16 }, key)
  expect([first.body, again.body]).toEqual([{ ageLimit: 16 }, { ageLimit: 16 }])
  expect((await venue.get(path)).body).toEqual({ ageLimit: 18 })
})
