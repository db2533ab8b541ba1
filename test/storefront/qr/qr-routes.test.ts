import { Hono } from 'hono'
import jsQR from 'jsqr'
import { describe, expect, test } from 'vitest'
import { ApiError, notFound } from '../../../src/platform/errors.ts'
import type { Env } from '../../../src/platform/http/context.ts'
import { responseHeaders } from '../../../src/platform/http/headers.ts'
import { onError } from '../../../src/platform/http/problem-details.ts'
import { createQrRoutes } from '../../../src/storefront/qr/qr-routes.ts'
import { readPng, toRgba } from '../../support/decode-image.ts'

const code = '4F7K9Q2MXR8TWN3B'
const base = { PUBLIC_BASE_URL: 'https://menu.example' }

/** The routes, with one tag that is known by its code in any case, and by an alias. */
const app = new Hono<Env>()
  .use(responseHeaders)
  .route(
    '/t',
    createQrRoutes(async (_c, given) => {
      if (given.toUpperCase() === code || given === 'table-4') return code
      if (given === 'GONE') throw new ApiError('conflict', 'is of a deleted tag')
      throw notFound()
    }),
  )
  .onError(onError)

const request = (path: string, headers: Record<string, string> = {}, env: object = base) =>
  app.request(`https://api.test/t/${path}`, { headers }, env)

const read = async (response: Response) => {
  const { data, width, height } = toRgba(await readPng(new Uint8Array(await response.arrayBuffer())))
  return jsQR(data, width, height)?.data
}

/** The parameters and codes of a problem document. */
const issues = async (response: Response) => {
  expect(response.status).toBe(422)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const { errors } = await response.json<{ errors: { parameter: string; code: string }[] }>()
  return errors.map((error) => [error.parameter, error.code])
}

const widthOf = async (path: string) => (await readPng(new Uint8Array(await (await request(path)).arrayBuffer()))).width

describe.each(['png', 'svg'] as const)('qr.%s', (format) => {
  test('has its content type, and can be cached permanently', async () => {
    const response = await request(`${code}/qr.${format}`)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': format === 'png' ? 'image/png' : 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="${code}.${format}"`,
      etag: expect.stringMatching(/^"[0-9A-Z]{16}"$/),
    })
  })

  test('is the same picture whichever way the tag is named, whoever asks', async () => {
    const paths = [`${code}/qr.${format}`, `${code.toLowerCase()}/qr.${format}`, `table-4/qr.${format}`]
    const responses = await Promise.all(
      paths.map((path) => request(path, { host: 'evil.example', accept: 'text/html' })),
    )
    expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    const pictures = await Promise.all(responses.map((response) => response.arrayBuffer()))
    expect(new Set(pictures.map((bytes) => new Uint8Array(bytes).join())).size).toBe(1)
  })

  test('has another entity tag for another picture, and the same for the same one', async () => {
    const etag = async (search: string, env = base) =>
      (await request(`${code}/qr.${format}${search}`, {}, env)).headers.get('etag')
    const different = ['', '?ecc=H', '?ecc=L', '?margin=5', '?size=1000', '?size=64']
    expect(new Set(await Promise.all(different.map((search) => etag(search)))).size).toBe(different.length)
    expect(await etag('?size=512')).toBe(await etag(''))
    expect(await etag('?margin=4')).toBe(await etag(''))
    expect(await etag('', { PUBLIC_BASE_URL: 'https://other.example' })).not.toBe(await etag(''))
    const other = format === 'png' ? 'svg' : 'png'
    expect((await request(`${code}/qr.${other}`)).headers.get('etag')).not.toBe(await etag(''))
  })

  test('is not sent again to who has it', async () => {
    const etag = (await request(`${code}/qr.${format}`)).headers.get('etag') ?? ''
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await request(`${code}/qr.${format}`, { 'if-none-match': header })
      expect([response.status, await response.text()]).toEqual([304, ''])
      expect(response.headers.get('etag')).toBe(etag)
      expect(response.headers.get('cache-control')).toContain('immutable')
    }
    expect((await request(`${code}/qr.${format}`, { 'if-none-match': '"x"' })).status).toBe(200)
  })

  test.each([
    ['size=64', 200],
    ['size=63', [['size', 'too_small']]],
    ['size=2048', 200],
    ['size=2049', [['size', 'too_large']]],
    ['margin=4', 200],
    ['margin=3', [['margin', 'too_small']]],
    ['margin=16', 200],
    ['margin=17', [['margin', 'too_large']]],
    ['size=', [['size', 'invalid_format']]],
    ['size=1e3', [['size', 'invalid_format']]],
    ['size=-64', [['size', 'invalid_format']]],
    ['size=512.5', [['size', 'invalid_format']]],
    ['ecc=l', [['ecc', 'invalid_value']]],
    ['ecc=', [['ecc', 'invalid_value']]],
    ['size=100&size=100', [['size', 'invalid_type']]],
    ['colour=red', [['colour', 'unknown_parameter']]],
    ['margin=65&size=64&ecc=H', [['margin', 'too_large']]],
    ['margin=16&size=64&ecc=H', [['size', 'too_small']]],
    ['margin=16&size=65&ecc=H', 200],
    [
      'size=1&margin=1&ecc=X&a=1',
      [
        ['a', 'unknown_parameter'],
        ['ecc', 'invalid_value'],
        ['margin', 'too_small'],
        ['size', 'too_small'],
      ],
    ],
  ])('accepts or rejects ?%s', async (search, expected) => {
    const response = await request(`${code}/qr.${format}?${search}`)
    if (expected === 200) expect(response.status).toBe(200)
    else expect((await issues(response)).sort()).toEqual(expected)
  })

  test('an unknown code has no picture; invalid parameters are reported first', async () => {
    expect((await request(`NOPE/qr.${format}`)).status).toBe(404)
    expect((await request(`GONE/qr.${format}`)).status).toBe(409)
    expect((await request(`NOPE/qr.${format}?size=1`)).status).toBe(422)
    for (const path of ['NOPE', 'GONE']) {
      expect((await request(`${path}/qr.${format}`)).headers.get('cache-control')).toBe('no-store')
    }
  })

  test('is missing if no public address is configured', async () => {
    const response = await request(`${code}/qr.${format}`, {}, {})
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  test('HEAD returns the same without the picture', async () => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => app.request(`https://api.test/t/${code}/qr.${format}`, { method }, base)),
    )
    expect([head?.status, await head?.text()]).toEqual([200, ''])
    expect(head?.headers.get('etag')).toBe(get?.headers.get('etag'))
  })
})

test('the picture holds the configured address, not that of the request', async () => {
  expect(await read(await request(`${code}/qr.png`, { host: 'evil.example' }))).toBe(`HTTPS://MENU.EXAMPLE/T/${code}`)
})

test('a size is taken down to whole pixels a module', async () => {
  // 29 modules and a margin of four on each side.
  expect(await widthOf(`${code}/qr.png`)).toBe(37 * 13)
  expect(await widthOf(`${code}/qr.png?size=481`)).toBe(481)
  expect(await widthOf(`${code}/qr.png?size=480`)).toBe(37 * 12)
  expect(await widthOf(`${code}/qr.png?size=2048&margin=16`)).toBe(61 * 33)
  expect(await (await request(`${code}/qr.svg?size=480`)).text()).toContain(
    'width="444" height="444" viewBox="0 0 37 37"',
  )
})

test('the levels of error correction are all to be had', async () => {
  for (const [level, modules] of [
    ['L', 25],
    ['M', 29],
    ['Q', 29],
    ['H', 33],
  ] as const) {
    const response = await request(`${code}/qr.svg?ecc=${level}`)
    expect(await response.text()).toContain(`viewBox="0 0 ${modules + 8} ${modules + 8}"`)
    expect(await read(await request(`${code}/qr.png?ecc=${level}`))).toBe(`HTTPS://MENU.EXAMPLE/T/${code}`)
  }
})
