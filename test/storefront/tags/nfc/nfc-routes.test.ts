import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signHmac } from '../../../../src/platform/auth/hmac.ts'
import { linkSeconds } from '../../../../src/platform/auth/signed-link.ts'
import { readStaffMessages } from '../../../../src/storefront/pages/staff-messages.ts'
import { type ApiResponse, call, createKey, createVenue, send } from '../../../support/api.ts'
import { broken, createTestWorker, passTime, restoreTime } from '../../../support/test-worker.ts'
import { digest, inside } from './inline-code.ts'

const venue = await createVenue({ name: 'Zum <Löwen>' })
const testing = await createKey(venue.id, { mode: 'test' })
let worker = createTestWorker()
beforeEach(() => {
  worker = createTestWorker()
})
afterEach(restoreTime)

const create = async (body: object = {}) => (await venue.post('/tags', body)).body
const request = (id: string, owner: Pick<typeof venue, 'raw'> = venue) => owner.raw(`/tags/${id}/nfc-link`, null, {})
const pathOf = ({ body }: ApiResponse) => new URL(body.url).pathname

describe('a link to the page that writes a chip', () => {
  test('is created for a tag, with its time of expiry', async () => {
    const tag = await create()
    const before = Math.floor(Date.now() / 1000)
    const response = await request(tag.id)
    expect([response.status, Object.keys(response.body).sort()]).toEqual([201, ['expiresAt', 'url']])
    expect(response.body.expiresAt - before - linkSeconds).toBeLessThanOrEqual(1)
    expect(response.body.expiresAt - before).toBeGreaterThanOrEqual(linkSeconds)
    expect(response.body.url).toMatch(
      new RegExp(`^https://menu\\.example/chip/${tag.alias[0]}/${response.body.expiresAt}/[0-9A-HJKMNP-TV-Z]{16}$`),
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('does not change the tag and raises no event', async () => {
    const tag = await create()
    const events = async () => (await venue.get('/events?limit=100')).body.length
    const count = await events()
    await send(pathOf(await request(tag.id)))
    expect((await venue.get(`/tags/${tag.id}`)).body).toEqual(tag)
    expect(await events()).toBe(count)
  })

  test('requires a key of the merchant with tags:write', async () => {
    const [tag, other] = [await create(), await createVenue()]
    const path = `/tags/${tag.id}/nfc-link`
    expect((await call('POST', venue.path(path), undefined)).status).toBe(401)
    expect((await call('POST', venue.path(path), other.key)).status).toBe(403)
    expect((await request(tag.id, other)).status).toBe(404)
    expect((await request('tag_0', venue)).status).toBe(404)
    const [reader, writer] = [
      await createKey(venue.id, { mode: 'live', scopes: ['tags:read', 'menus:write'] }),
      await createKey(venue.id, { mode: 'live', scopes: ['tags:write'] }),
    ]
    const refused = await request(tag.id, reader)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('tags:write')])
    expect((await request(tag.id, writer)).status).toBe(201)
  })

  test('of a test key is for test tags only; a live key can link both', async () => {
    const [live, trial] = [await create(), await create({ testMode: true })]
    expect([(await request(live.id, testing)).status, (await request(trial.id, testing)).status]).toEqual([404, 201])
    expect((await request(trial.id)).status).toBe(201)
  })

  test('is not created for a deleted tag or without a public address', async () => {
    const tag = await create()
    const nowhere = createTestWorker({ PUBLIC_BASE_URL: undefined })
    const refused = await nowhere.call('POST', venue.path(`/tags/${tag.id}/nfc-link`), venue.key)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    await venue.remove(`/tags/${tag.id}`)
    expect((await request(tag.id)).status).toBe(404)
  })

  test('is created only by POST', async () => {
    const { id } = await create()
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await venue.request(method, `/tags/${id}/nfc-link`)
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS'])
    }
    expect((await venue.request('OPTIONS', `/tags/${id}/nfc-link`)).status).toBe(204)
  })
})

describe('the page that writes a chip', () => {
  test('writes the address of the chip and names the venue and the table', async () => {
    const tag = await create({
      metadata: [
        { key: 'table', value: '<4>' },
        { key: 'zone', value: 'hidden-zone', visible: false },
      ],
    })
    const { status, body } = await send(pathOf(await request(tag.id)))
    expect(status).toBe(200)
    expect(body).toContain(`<button data-url="${tag.nfcUrl}">`)
    expect(body).toContain('<h1><bdi lang="">Table &lt;4&gt;</bdi></h1><p><bdi lang="">Zum &lt;Löwen&gt;</bdi></p>')
    expect(body).toContain(tag.alias[0].replace(/(.{4})(?=.)/g, '$1-'))
    expect(body).not.toContain('hidden-zone')
    expect(body).toContain('<noscript><p>This page needs JavaScript.')
  })

  test('runs only its own script and is not cached', async () => {
    const { headers, body } = await send(pathOf(await request((await create()).id)))
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      `default-src 'none'`,
      `style-src ${await digest(inside('style', body))}`,
      `script-src ${await digest(inside('script', body))}`,
      'img-src data:',
      `font-src 'self'`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
    ])
    expect(inside('script', body)).toContain('NDEFReader')
    expect(body.match(/<script|<style| on\w+=/g)).toEqual(['<style', '<script'])
    for (const [name, value] of [
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
      ['x-robots-tag', 'noindex'],
    ] as const) {
      expect([name, headers.get(name)]).toEqual([name, value])
    }
  })

  test('is in the language of the browser, else of the venue', async () => {
    const elsewhere = await createVenue({ name: 'Taberna', currency: 'EUR', timezone: 'Europe/Lisbon' })
    const { body: tag } = await elsewhere.post('/tags', {})
    const path = pathOf(await elsewhere.raw(`/tags/${tag.id}/nfc-link`, null, {}))
    for (const [query, header, language, direction] of [
      ['', '', 'pt', ''],
      ['', 'ar-EG, en;q=0.5', 'ar', ' dir="rtl"'],
      ['?lang=ja', 'ar', 'ja', ''],
    ] as const) {
      const { body } = await send(path + query, { headers: { 'accept-language': header } })
      const { write, lockAsk, lockAskAgain } = await readStaffMessages(env, language)
      expect(body).toContain(`<html lang="${language}"${direction}>`)
      for (const text of [`>${write}</button>`, lockAsk, lockAskAgain]) expect(body).toContain(text)
    }
  })

  test('shows a code for a tag without metadata, and works while the venue cannot be read', async () => {
    const tag = await create()
    const path = pathOf(await request(tag.id))
    await worker.fetch(path)
    worker.failures.database = broken
    const { status, body } = await worker.fetch(path)
    expect(status).toBe(200)
    expect(body).toContain(`<h1><bdi lang="">${tag.alias[0].replace(/(.{4})(?=.)/g, '$1-')}</bdi></h1>`)
    expect(body).not.toContain('Löwen')
  })

  test('is available until the link expires, then reports the expiry also with a wrong signature', async () => {
    const path = pathOf(await request((await create()).id))
    const expires = Number(path.split('/')[3])
    const clock = vi.spyOn(Date, 'now')
    clock.mockReturnValue(expires * 1000 - 1)
    expect((await worker.fetch(path)).status).toBe(200)
    clock.mockReturnValue(expires * 1000)
    const other = path.replace(/[^/]+$/, '0'.repeat(16))
    for (const address of [path, other]) {
      const { status, headers, body } = await worker.fetch(address)
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        410,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(body).toContain('<h1>This link has expired</h1>')
      expect(body).toContain('Ask the person who sent it to you')
      expect(body.slice(body.indexOf('<main'))).not.toContain('menu')
      expect((await worker.fetch(`${address}?lang=de`)).body).toContain('Dieser Link ist abgelaufen')
    }
    // The expiry is part of the signature.
    const later = path.replace(String(expires), String(expires + 900))
    expect((await worker.fetch(later)).status).toBe(404)
  })

  test('rejects a wrong or foreign signature', async () => {
    const [tag, other] = [await create(), await create()]
    const [, , code = '', expires = '', seal = ''] = pathOf(await request(tag.id)).split('/')
    const foreign = pathOf(await request(other.id)).split('/')[4]
    const forChip = new URL(tag.nfcUrl).pathname.split('/')[3]
    const later = `${Number(expires) + 1}`
    const wrong = [
      [code, expires, foreign],
      [code, expires, forChip],
      [code, expires, seal.slice(1)],
      [code, expires, `${seal}0`],
      [code, expires, 'undefined'],
      [code, expires, '%00'],
      [code, expires, '%zz'],
      [code, expires, encodeURIComponent('ſ'.repeat(16))],
      [code, later, seal],
      [code, `0${expires}`, seal],
      [code, `${expires}.0`, seal],
      [code, 'x', seal],
      [code, '%zz', seal],
      [other.alias[0], expires, seal],
      [tag.id, expires, seal],
      [code, '9999999999', await signHmac(env, `nfc-link:${code}:`)],
    ]
    for (const parts of wrong) {
      const { status, headers, body } = await worker.fetch(`/chip/${parts.join('/')}`)
      expect([parts, status, headers.get('content-type')]).toEqual([parts, 404, 'text/html; charset=utf-8'])
      expect(body).not.toContain('NDEFReader')
      expect(body).not.toContain('/n/')
    }
    // No storage was read for any of them, except for the secret, which an isolate reads once.
    expect(worker.used()).toMatchObject({ reads: [], writes: [] })
    expect((await worker.fetch(`/chip/${code}/${expires}/${seal}`)).status).toBe(200)
  })

  test.each(['/chip', '/chip/', '/chip/x', '/chip/x/y', '/chip/x/y/z/more', '/chip/%zz'])(
    '%s is a page for people, and leads nowhere',
    async (path) => {
      const { status, headers } = await send(path)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    },
  )

  test('reports a deleted tag and a database that is down', async () => {
    const [tag, other] = [await create(), await create()]
    const [path, unread] = [pathOf(await request(tag.id)), pathOf(await request(other.id))]
    await venue.remove(`/tags/${tag.id}`)
    passTime(10)
    expect((await worker.fetch(path)).status).toBe(410)
    worker.failures.read = broken
    worker.failures.database = broken
    expect((await worker.fetch(unread)).status).toBe(503)
  })

  test('accepts only GET and HEAD', async () => {
    const path = pathOf(await request((await create()).id))
    const head = await send(path, { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
    expect((await send(path, { method: 'OPTIONS' })).status).toBe(204)
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await send(path, { method })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, OPTIONS'])
    }
  })

  test('does not count as a scan', async () => {
    await worker.fetch(pathOf(await request((await create()).id)))
    await worker.settle()
    expect(worker.used().sent.filter((message) => JSON.stringify(message).includes('"scan"'))).toEqual([])
  })
})
