import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { app } from '../../../src/app/app.ts'
import { defaultHeaders } from '../../../src/platform/http/headers.ts'
import { redirectKnownTag } from '../../../src/storefront/tags/redirect-routes.ts'
import { adminToken, call, createKey, createVenue, send } from '../../support/api.ts'

const base = 'https://menu.example'
const venue = await createVenue({ orderingUrl: 'https://live.example/o', sandboxUrl: 'https://test.example/o' })
const create = async (body: object = {}, owner: Pick<typeof venue, 'post'> = venue) => {
  const { body: tag } = await owner.post('/tags', body)
  return { ...tag, code: tag.alias[0] }
}
const tag = await create()
const leadsTo = async (path: string, init?: RequestInit) => (await send(path, init)).headers.get('location')

describe('a scan', () => {
  test('redirects, and the redirect is not cached', async () => {
    const { status, headers, body } = await send(`/t/${tag.code}`)
    expect(status).toBe(302)
    expect(Object.fromEntries(headers)).toMatchObject({
      location: `https://live.example/o?tag=${tag.id}`,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    expect(body).toBe('')
  })

  test('accepts the code in any case, letters for digits, the id and the printed form', async () => {
    const letters = tag.code.replaceAll('0', 'o').replaceAll('1', 'l')
    for (const name of [
      tag.code,
      tag.code.toLowerCase(),
      letters,
      letters.replaceAll('l', 'I'),
      tag.id,
      tag.id.toUpperCase(),
      `%${tag.code.charCodeAt(0).toString(16)}${tag.code.slice(1)}`,
    ]) {
      for (const path of ['t', 'T'])
        expect(await leadsTo(`/${path}/${name}`)).toBe(`https://live.example/o?tag=${tag.id}`)
    }
    expect(await leadsTo(new URL(tag.nfcUrl).pathname)).toBe(`https://live.example/o?tag=${tag.id}`)
    expect(await leadsTo(new URL(tag.nfcUrl).pathname.toUpperCase())).toBe(`https://live.example/o?tag=${tag.id}`)
    expect(await leadsTo(new URL(tag.nfcUrl).pathname.toLowerCase())).toBe(`https://live.example/o?tag=${tag.id}`)
  })

  test.each(['/', '%20', '+', '.', ',', '%29.', '%E2%80%9D', '%C2%A0', '%20/', './'])(
    'leads to the same with what people and mail programs add: %s',
    async (added) => {
      const venue = await createVenue({ orderingUrl: 'https://live.example/o' })
      const { body: tag } = await venue.post('/tags', {})
      const location = `https://live.example/o?tag=${tag.id}`
      for (const path of [`/t/${tag.alias[0]}`, `/T/${tag.alias[0]}`, `/t/${tag.id}`, new URL(tag.nfcUrl).pathname]) {
        const { status, headers } = await send(path + added)
        expect([path, status, headers.get('location')]).toEqual([path, 302, location])
      }
      const withQuery = await send(`/t/${tag.alias[0]}${added}?utm_source=mail`)
      expect(withQuery.headers.get('location')).toBe(`${location}&utm_source=mail`)
      expect((await venue.get(`/tags/${tag.id}`)).body.nfc).toBe(true)
    },
  )

  test('of a test tag redirects to the sandbox, never to the live address', async () => {
    const trial = await create({ testMode: true })
    expect(await leadsTo(`/t/${trial.code}`)).toBe(`https://test.example/o?tag=${trial.id}`)
    const liveOnly = await createVenue({ orderingUrl: 'https://live.example/o' })
    const unsent = await create({ testMode: true }, liveOnly)
    expect(await leadsTo(`/t/${unsent.code}`)).toBe(`/m/${liveOnly.id}?tag=${unsent.id}`)
  })

  test("redirects to the hosted menu without an ordering address, with the guest's parameters", async () => {
    const homely = await createVenue()
    const own = await create({}, homely)
    expect(await leadsTo(`/t/${own.code}?lang=de&utm_source=flyer&tag=x&next=//evil.example`)).toBe(
      `/m/${homely.id}?tag=${own.id}&lang=de&utm_source=flyer`,
    )
  })

  test('fills in only visible metadata', async () => {
    const orderingUrl =
      'https://o.example/{merchant}/{code}?t={metadata.table}&h={metadata.secret}&x={metadata.absent}#{tag}'
    const owner = await createVenue({ orderingUrl })
    const own = await create(
      {
        metadata: [
          { key: 'table', value: '4 & 5/ä' },
          { key: 'secret', value: 's', visible: false },
        ],
      },
      owner,
    )
    expect(await leadsTo(`/t/${own.code}`)).toBe(
      `https://o.example/${owner.id}/${own.code}?t=4%20%26%205%2F%C3%A4&h=&x=#${own.id}`,
    )
  })

  test.each(['https://o.example/меню/ä?q=é#ü', 'https://bücher.example/x', 'https://o.example/"<>`|^'])(
    'leads to an address with letters that headers cannot hold: %s',
    async (orderingUrl) => {
      const owner = await createVenue({ orderingUrl })
      const own = await create({}, owner)
      const location = (await leadsTo(`/t/${own.code}`)) ?? ''
      const wanted = new URL(orderingUrl)
      wanted.searchParams.set('tag', own.id)
      expect(new URL(location).host).toBe(wanted.host)
      expect(new URL(location).pathname).toBe(wanted.pathname)
      expect(location).toMatch(/^[\x21-\x7e]+$/)
    },
  )

  test.each([
    '?orderingUrl=https://evil.example',
    '?next=//evil.example',
    '?tag=evil',
    '?utm_source=%0d%0aSet-Cookie:a=b',
    '?lang=%0d%0aLocation:%20//evil.example',
    '?utm_source=@evil.example',
    '?utm_a=%5C%5Cevil.example',
    '?//evil.example',
    '?@evil.example',
    '?utm_source=#@evil.example',
    '?%',
    '?%E0%A4%A',
    '?&&&=',
    '?lang[]=x',
    `?utm_x=${'a'.repeat(4000)}`,
  ])('has the same host and headers for every query: %s', async (query) => {
    const { status, headers } = await send(`/t/${tag.code}${query}`, {
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-original-url': '//evil.example',
        referer: 'https://evil.example',
      },
    })
    expect(status).toBe(302)
    const location = new URL(headers.get('location') ?? '')
    expect([location.host, location.pathname, location.hash, location.searchParams.getAll('tag')]).toEqual([
      'live.example',
      '/o',
      '',
      [tag.id],
    ])
    expect(headers.get('set-cookie')).toBeNull()
    const usual = [...Object.keys(defaultHeaders), 'request-id', 'strict-transport-security']
    expect([...headers.keys()].sort()).toEqual([...usual, 'location', 'x-robots-tag'].sort())
  })

  test('supports HEAD and OPTIONS and returns 405 for other methods', async () => {
    const head = await send(`/t/${tag.code}`, { method: 'HEAD' })
    expect([head.status, head.headers.get('location')]).toEqual([302, `https://live.example/o?tag=${tag.id}`])
    for (const path of [`/t/${tag.code}`, `/T/${tag.code}`, new URL(tag.nfcUrl).pathname]) {
      const options = await send(path, { method: 'OPTIONS' })
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const refused = await send(path, { method })
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
      }
    }
  })
})

describe('a cached tag', () => {
  const known = (path: string, init: RequestInit = {}) => {
    const context = createExecutionContext()
    const response = redirectKnownTag(new Request(base + path, init), env, context)
    if (response instanceof Promise) throw new Error('a redirect without a seat is synchronous')
    return { response, settled: () => waitOnExecutionContext(context) }
  }
  const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'request-id')

  test('has a unique request id in each response', async () => {
    const own = await create()
    await send(`/t/${own.code}`)
    const scans = Array.from({ length: 4 }, () => known(`/t/${own.code}`))
    const ids = scans.map(({ response }) => response?.headers.get('request-id'))
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
    await Promise.all(scans.map(({ settled }) => settled()))
  })

  test('gets the same response as from the routes, synchronously', async () => {
    const own = await create()
    const paths = ['', '?lang=de&utm_source=x&tag=evil', '?x=%zz', '?'].flatMap((query) =>
      [`/t/${own.code}`, `/T/${own.code}`, `/t/${own.code.toLowerCase()}`].map((path) => path + query),
    )
    await send(paths[0] ?? '')
    for (const path of paths) {
      const { response, settled } = known(path)
      const context = createExecutionContext()
      const routed = await app.fetch(new Request(base + path), env, context)
      if (!response) throw new Error(`${path} is not known`)
      expect([path, response.status, headersOf(response)]).toEqual([path, routed.status, headersOf(routed)])
      expect(response.headers.get('request-id')).toMatch(/^req_/)
      await Promise.all([settled(), waitOnExecutionContext(context)])
    }
  })

  test('uses the routes in all other cases', async () => {
    const own = await create()
    await send(`/t/${own.code}`)
    for (const [path, init] of [
      [`/t/${own.code}`, { method: 'HEAD' }],
      [`/t/${own.code}`, { method: 'POST' }],
      [`/t/${own.code}/qr.png`],
      [`/t/${own.code}/`],
      [`/t/%30${own.code.slice(1)}`],
      [`/x/t/${own.code}`],
      [`/?/t/${own.code}`],
      [new URL(own.nfcUrl).pathname],
      ['/t/0000000000000000'],
      ['/t/'],
    ] as const) {
      expect([path, known(path, init).response]).toEqual([path, undefined])
    }
    await venue.remove(`/tags/${own.id}`)
    expect(known(`/t/${own.code}`).response).toBeUndefined()
  })
})

test('an Authorization header does not affect a scan', async () => {
  const stranger = await createKey((await createVenue()).id, { mode: 'test' })
  for (const authorization of [`Bearer ${stranger.key}`, `Bearer ${adminToken}`, 'Bearer nonsense'])
    expect(await leadsTo(`/t/${tag.code}`, { headers: { authorization } })).toBe(`https://live.example/o?tag=${tag.id}`)
  expect((await call('GET', `/t/${tag.code}`, undefined)).status).toBe(302)
  expect(env.PUBLIC_BASE_URL).toBe(base)
})
