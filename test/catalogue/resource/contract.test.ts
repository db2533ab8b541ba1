import { describe, expect, test } from 'vitest'
import { type ApiResponse, createKey, createVenue } from '../../support/api.ts'
import { type Sample, samples } from '../../support/samples.ts'

const venue = await createVenue()
const named = {
  product: (await venue.post('/products', { title: 'Tea', price: 4.5 })).body.id,
  modifier: (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id,
}

/** Fields that the service sets in every response. */
const made = {
  id: expect.any(String),
  testMode: false,
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
}

/** Fields that some resources make themselves, and whether only create and retrieve show them. */
const code = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{16}$/)
const own: Record<string, object> = {
  tag: {
    alias: [code],
    url: expect.stringMatching(/^https:\/\/menu\.example\/t\/[0-9A-Z]{16}$/),
    qrUrl: expect.stringMatching(/^https:\/\/menu\.example\/t\/[0-9A-Z]{16}\/qr\.png$/),
  },
}
const revealed: Record<string, object> = {
  webhook: { bearerToken: expect.stringMatching(/^\S{20,}$/) },
  tag: { nfcUrl: expect.stringMatching(/^https:\/\/menu\.example\/n\/[0-9A-Z]{16}\/\w+$/) },
}

/** Fields that only the response to create shows. */
const shownOnce: Record<string, object> = {
  webhook: { secret: expect.stringMatching(/^whsec_\S{32}$/) },
}

/** Entries of a tag are visible unless the body says otherwise; no other field changes on its way in. */
const shown = ({ name }: Sample, body: Record<string, unknown>) =>
  name === 'tag' && Array.isArray(body['metadata'])
    ? { ...body, metadata: body['metadata'].map((entry) => ({ visible: true, ...entry })) }
    : body

const without = (object: Record<string, unknown>, fields: object = {}) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !(key in fields)))
/** An object as update and delete show it, and as retrieve does. */
const inSecret = ({ name }: Sample, object: Record<string, unknown>) =>
  without(object, { ...revealed[name], ...shownOnce[name] })
const retrieved = ({ name }: Sample, object: Record<string, unknown>) => without(object, shownOnce[name])

/** A response without the id of its request, which differs each time. */
const anonymous = ({ status, body: { requestId, ...body } }: ApiResponse) => ({ status, ...body })

const nulls = (value: unknown): unknown[] =>
  value === null ? [null] : typeof value === 'object' ? Object.values(value ?? {}).flatMap(nulls) : []

const sections = (body: Record<string, unknown>) =>
  Array.isArray(body['sections'])
    ? { ...body, sections: body['sections'].map((section) => ({ id: expect.stringMatching(/^sec_/), ...section })) }
    : body

describe.each(samples)('a $name', (sample) => {
  const { name, collection, prefix } = sample
  const path = `/${collection}`
  const create = async (body: object = sample.body('Thing')) => {
    const response = await venue.post(path, body)
    expect(response).toMatchObject({ status: 201 })
    return response
  }

  test('is created with its defaults; fields without a value are absent', async () => {
    const body = sample.body('Thing')
    const { body: created } = await create(body)
    expect(created).toStrictEqual({
      ...made,
      ...sample.defaults,
      ...shown(sample, body),
      ...own[name],
      ...revealed[name],
      ...shownOnce[name],
    })
    expect(nulls(created)).toEqual([])
  })

  test('is at the Location of the create response', async () => {
    const { body, headers } = await create()
    const location = headers.get('location') ?? ''
    expect(location).toBe(venue.path(`${path}/${body.id}`))
    const found = await venue.get(`${path}/${body.id}`)
    expect(found.status).toBe(200)
    expect(found.body).toStrictEqual(retrieved(sample, body))
  })

  test('stores every field as sent', async () => {
    const body = sample.full(named)
    const { body: created } = await create(body)
    expect(created).toStrictEqual({ ...made, ...sections(body), ...own[name], ...revealed[name], ...shownOnce[name] })
    expect((await venue.get(`${path}/${created.id}`)).body).toStrictEqual(retrieved(sample, created))
  })

  test('an update changes only the given fields and returns the whole object', async () => {
    const { body: before } = await create(sample.full(named))
    const change = Object.entries(sample.change).map(([key, value]) => [key, value === before[key] ? !value : value])
    const expected = { ...before, ...Object.fromEntries(change), updatedAt: expect.any(Number) }
    const updated = await venue.post(`${path}/${before.id}`, Object.fromEntries(change))
    expect(updated).toMatchObject({ status: 200 })
    expect(updated.body).toStrictEqual(inSecret(sample, expected))
    expect(updated.body).not.toStrictEqual(before)
    expect(updated.body.updatedAt).toBeGreaterThan(before.updatedAt)
    expect((await venue.get(`${path}/${before.id}`)).body).toStrictEqual({
      ...retrieved(sample, before),
      ...updated.body,
    })
  })

  test('a delete returns the documented envelope; afterwards every operation returns 404', async () => {
    const { body } = await create()
    const deleted = await venue.remove(`${path}/${body.id}`)
    expect(deleted.status).toBe(200)
    expect(deleted.body).toStrictEqual({
      id: body.id,
      object: inSecret(sample, body),
      message: `${name.charAt(0).toUpperCase()}${name.slice(1)} deleted`,
      deleted: true,
    })
    const gone = [
      await venue.get(`${path}/${body.id}`),
      await venue.post(`${path}/${body.id}`, sample.change),
      await venue.remove(`${path}/${body.id}`),
      await venue.get(`${path}/${prefix}_00000000000000000000000000`),
      await venue.get(`${path}/0`),
    ].map(anonymous)
    expect(gone).toMatchObject(Array(5).fill({ status: 404, code: 'not_found' }))
    expect(gone).toEqual(Array(5).fill(gone[0]))
  })

  test('HEAD returns the headers of GET without a body', async () => {
    const { body } = await create()
    for (const relative of [path, `${path}/${body.id}`]) {
      const [head, get] = [await venue.request('HEAD', relative), await venue.get(relative)]
      expect(head).toMatchObject({ status: 200, body: '' })
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    }
    expect(await venue.request('HEAD', `${path}/nothing`)).toMatchObject({ status: 404, body: '' })
  })

  test('has a prefixed id that sorts by creation, and times in whole seconds', async () => {
    const objects = []
    for (let n = 0; n < 5; n++) objects.push((await create()).body)
    const ids = objects.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort())
    for (const { id, createdAt, updatedAt } of objects) {
      expect(id).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
      expect(String(createdAt)).toMatch(/^\d{10}$/)
      expect(updatedAt).toBe(createdAt)
      expect(Math.abs(createdAt - Date.now() / 1000)).toBeLessThan(60)
    }
  })

  test('returns its mode', async () => {
    const test = await createKey(venue.id, { mode: 'test' })
    expect((await test.post(path, sample.body('Thing'))).body.testMode).toBe(true)
    expect((await create()).body.testMode).toBe(false)
  })

  test('accepts null as absent in a create and as a reset in an update', async () => {
    const required = Object.keys(sample.body('')).filter((key) => name !== 'tag' || key !== 'metadata')
    const optional = Object.keys(sample.full(named)).filter((key) => !required.includes(key))
    const cleared = Object.fromEntries(optional.map((key) => [key, null]))
    const kept = Object.fromEntries(required.map((key) => [key, sample.body('Thing')[key]]))
    const bare = { ...made, ...sample.defaults, ...kept, ...own[name], ...(name === 'tag' ? { metadata: [] } : {}) }

    expect((await create({ ...kept, ...cleared })).body).toStrictEqual({
      ...bare,
      ...revealed[name],
      ...shownOnce[name],
    })
    const { body: full } = await create({
      ...sample.full(named),
      ...kept,
      ...('code' in kept ? { code: crypto.randomUUID() } : {}),
    })
    const updated = await venue.post(`${path}/${full.id}`, cleared)
    expect(updated.body).toStrictEqual({ ...bare, ...('code' in kept ? { code: full.code } : {}) })
  })

  test('a wrong method returns 405 with Allow, an unknown path 404', async () => {
    const { body } = await create()
    for (const [relative, allow] of [
      [path, 'GET, HEAD, POST, OPTIONS'],
      [`${path}/${body.id}`, 'GET, HEAD, POST, DELETE, OPTIONS'],
    ] as const) {
      for (const method of ['PUT', 'PATCH', ...(relative === path ? ['DELETE'] : [])]) {
        const wrong = await venue.request(method, relative, {})
        expect(wrong).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
        expect(wrong.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort())
      }
      const options = await venue.request('OPTIONS', relative)
      expect(options).toMatchObject({ status: 204, body: '' })
      expect(options.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort())
    }
    for (const unknown of [`${path}/`, `${path}/${body.id}/`, `${path}/${body.id}/x`, `${path}x`, path.slice(0, -1)]) {
      expect(await venue.get(unknown)).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect((await venue.request('OPTIONS', unknown)).status).toBe(404)
    }
  })
})

test('every response has a request id, which a problem repeats', async () => {
  const { headers, body } = await venue.get('/products/nothing')
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(body).toMatchObject({ type: expect.any(String), title: expect.any(String), detail: expect.any(String) })
  expect(body.requestId).toBe(headers.get('request-id'))
  const again = await venue.get('/products')
  expect(again.headers.get('request-id')).toMatch(/^\S{16,}$/)
  expect(again.headers.get('request-id')).not.toBe(body.requestId)
})
