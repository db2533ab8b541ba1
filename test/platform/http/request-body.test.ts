import { describe, expect, test } from 'vitest'
import { createKey, createVenue, send } from '../../support/api.ts'

const venue = await createVenue()
const utf8 = new TextEncoder()
const tea = '{"title":"Tea","price":4.5}'
const type = 'application/json'

describe('the media type of a body', () => {
  test.each([type, 'Application/JSON', `${type}; charset=utf-8`, `${type};charset=UTF-8`, `${type} ; charset="utf-8"`])(
    '%s is taken',
    async (contentType) => {
      expect((await venue.raw('/products', tea, { 'content-type': contentType })).status).toBe(201)
    },
  )

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/problem+json',
    'application/merge-patch+json',
    'application/jsonp',
    'xapplication/json',
    `${type}; charset=latin1`,
    `${type}; charset=utf-16`,
    `${type}; charset=utf-8x`,
    `text/plain, ${type}`,
    '*/*',
    'json',
  ])('%s is rejected', async (contentType) => {
    const response = await venue.raw('/products', tea, { 'content-type': contentType })
    expect(response).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })

  test.each(['/products', '/tags', '/products/nothing'])('is required by %s, for an empty body too', async (path) => {
    for (const content of [utf8.encode(tea), utf8.encode('{}'), utf8.encode(''), null]) {
      expect(await venue.raw(path, content, {})).toMatchObject({ status: 415 })
    }
  })

  test.each(['gzip', 'br', 'deflate', 'identity, gzip', 'unknown'])(
    'does not come with %s encoding',
    async (encoding) => {
      const response = await venue.raw('/products', tea, { 'content-type': type, 'content-encoding': encoding })
      expect(response).toMatchObject({ status: 415 })
    },
  )

  test('allows the encoding identity', async () => {
    const response = await venue.raw('/products', tea, { 'content-type': type, 'content-encoding': 'identity' })
    expect(response).toMatchObject({ status: 201 })
  })
})

describe('the size of a body', () => {
  const padded = (bytes: number, text = tea) => text + ' '.repeat(bytes - utf8.encode(text).length)
  /** A body that does not say how long it is, in pieces. */
  const streamed = (text: string, piece = 10_000) => {
    const bytes = utf8.encode(text)
    let sent = 0
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(sent, sent + piece))
        sent += piece
      },
    })
  }
  const sizes: [string, (text: string) => [BodyInit, Record<string, string>]][] = [
    ['declared', (text) => [text, { 'content-type': type, 'content-length': String(utf8.encode(text).length) }]],
    ['not declared', (text) => [streamed(text), { 'content-type': type }]],
    ['declared too small', (text) => [streamed(text), { 'content-type': type, 'content-length': '20' }]],
  ]

  test.each(sizes)('is at most 262,144 bytes: %s', async (_, encode) => {
    for (const text of [tea, '{"title":"Thé 🍵","price":1}']) {
      expect((await venue.raw('/products', ...encode(padded(262_144, text)))).status).toBe(201)
      const tooLarge = await venue.raw('/products', ...encode(padded(262_145, text)))
      expect(tooLarge).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
    }
  })

  test('is checked before the content: many megabytes are rejected, and then read without being kept', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    expect(await venue.raw('/products', endless)).toMatchObject({ status: 413 })
    // 64 MiB are read so that the client sees the response, and the next parts of a stream that has not ended.
    expect(pulled).toBeLessThan(64 * 16 + 20)
  })

  test('is checked by Content-Length before the body is read', async () => {
    const lengths = { 'content-type': type, 'content-length': '262145' }
    expect(await venue.raw('/products', tea, lengths)).toMatchObject({ status: 413 })
  })

  test('is accepted one byte at a time', async () => {
    const response = await venue.raw('/products', streamed('{"title":"Thé 🍵","price":1}', 1))
    expect(response).toMatchObject({ status: 201, body: { title: 'Thé 🍵' } })
  })

  test('is checked for fields that are within their own limits', async () => {
    const metadata = Array(50).fill({ key: 'k'.repeat(64), value: '🍵'.repeat(5_000) })
    expect(await venue.post('/products', { title: 'Tea', price: 1, metadata })).toMatchObject({ status: 413 })
    const fitting = metadata.slice(0, 13)
    expect(await venue.post('/products', { title: 'Tea', price: 1, metadata: fitting })).toMatchObject({ status: 201 })
  })
})

describe('a body that is not a JSON object in UTF-8', () => {
  const bytes = (...values: number[]) => new Uint8Array([...utf8.encode('{"title":"'), ...values, ...utf8.encode('"}')])
  const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer)

  test.each<[string, BodyInit]>([
    ['nothing', ''],
    ['blanks', ' \n\t'],
    ['a word', 'tea'],
    ['half an object', '{"title":"Tea"'],
    ['an object and more', `${tea}{}`],
    ['a trailing comma', '{"title":"Tea",}'],
    ['single quotes', "{'title':'Tea'}"],
    ['a comment', '{"title":"Tea"/* */}'],
    ['NaN', '{"title":"Tea","price":NaN}'],
    ['a raw control character', '{"title":"T\u0001ea"}'],
    ['a form', 'title=Tea&price=4.5'],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '42'],
    ['a text', '"tea"'],
    ['a list', '[]'],
    ['a list with the object', `[${tea}]`],
    ['a byte that no UTF-8 has', bytes(0xff)],
    ['Latin-1', bytes(0xe9)],
    ['an overlong slash', bytes(0xc0, 0xaf)],
    ['a surrogate in bytes', bytes(0xed, 0xa0, 0x80)],
    ['a code point past the last', bytes(0xf4, 0x90, 0x80, 0x80)],
    ['a cut sequence', bytes(0xe2, 0x82)],
    ['UTF-16', utf16(tea)],
    ['UTF-16 with its mark', utf16(`\ufeff${tea}`)],
    ['a byte order mark alone', '\ufeff'],
    ['100,000 open brackets', '['.repeat(100_000)],
    ['65,000 open objects', '{"":'.repeat(65_000)],
  ])('is rejected: %s', async (_, content) => {
    for (const path of ['/products', '/products/nothing']) {
      expect(await venue.raw(path, content)).toMatchObject({ status: 400, body: { code: 'malformed_body' } })
    }
  })

  test('can begin with a UTF-8 byte order mark, which is ignored (RFC 8259)', async () => {
    expect(await venue.raw('/products', `\ufeff${tea}`)).toMatchObject({ status: 201, body: { title: 'Tea' } })
  })

  test('can repeat a field; the last value counts', async () => {
    const twice = '{"title":"Coffee","price":-1,"title":"Tea","price":1}'
    expect(await venue.raw('/products', twice)).toMatchObject({ status: 201, body: { title: 'Tea', price: 1 } })
  })

  test('can be deeply nested', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    for (const field of ['description', 'metadata', 'images', 'modifiers', 'toString']) {
      const response = await venue.raw('/products', `{"title":"Tea","price":1,"${field}":${deep}}`)
      expect(response).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: expect.stringContaining(`/${field}`) }] },
      })
    }
  })
})

test('the first of several problems is returned', async () => {
  await venue.post('/coupons', { title: 'Taken', code: 'taken', type: 'FIXED', value: 1 })
  const coupon = await venue.post('/coupons', { title: 'Mine', code: 'mine', type: 'FIXED', value: 1 })
  const foreign = await createVenue()
  const reader = await createKey(venue.id, { mode: 'live', scopes: ['coupons:read'] })
  const [conflicting, invalid] = ['{"code":"taken"}', '{"code":"taken","value":"x"}']
  const huge = `${invalid.slice(0, -1)}${' '.repeat(262_144)}`
  const request = (method: string, path: string, key: string, contentType: string, body: string) =>
    send(venue.path(path), { method, body, headers: { authorization: `Bearer ${key}`, 'content-type': contentType } })
  const [there, missing] = [`/coupons/${coupon.body.id}`, '/coupons/nothing']

  const ladder = [
    [401, 'unauthenticated', await request('PUT', '/nowhere', 'sk_live_no', 'text/plain', huge)],
    [403, 'forbidden', await request('PUT', '/nowhere', foreign.key, 'text/plain', huge)],
    [403, 'forbidden', await request('PUT', missing, reader.key, 'text/plain', huge)],
    [404, 'not_found', await request('PUT', '/nowhere', venue.key, 'text/plain', huge)],
    [405, 'method_not_allowed', await request('PUT', missing, venue.key, 'text/plain', huge)],
    [415, 'unsupported_media_type', await request('POST', missing, venue.key, 'text/plain', huge)],
    [413, 'body_too_large', await request('POST', missing, venue.key, type, huge)],
    [400, 'malformed_body', await request('POST', missing, venue.key, type, invalid.slice(0, -1))],
    [422, 'invalid_request', await request('POST', missing, venue.key, type, invalid)],
    [404, 'not_found', await request('POST', missing, venue.key, type, conflicting)],
    [422, 'invalid_request', await request('POST', there, venue.key, type, invalid)],
    [409, 'conflict', await request('POST', there, venue.key, type, conflicting)],
  ] as const
  for (const [status, code, response] of ladder) {
    expect(response).toMatchObject({ status, body: { status, code } })
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  }
  expect((await venue.get(there)).body).toEqual({ ...coupon.body })
})
