import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { send } from '../../support/api.ts'
import { change, createTag, leadsTo, openVenue } from '../../support/destinations.ts'
import { moveTo } from '../../support/moves.ts'
import { broken, createTestWorker } from '../../support/test-worker.ts'

/** Friday, 4 December 2026, 22:30 in Berlin. */
const fridayNight = Date.parse('2026-12-04T21:30:00Z')
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: fridayNight })
})
afterEach(() => vi.useRealTimers())

describe('a scan of a tag with details', () => {
  test('leads to its address, with placeholders and the parameters of the guest', async () => {
    const venue = await openVenue()
    const tag = await createTag(venue, { metadata: [{ key: 'table', value: '4 & 5' }] })
    const url = 'https://order.example/terrace?table={metadata.table}&c={code}&m={merchant}'
    expect((await venue.post(`/tags/${tag.id}/details`, { url })).body).toEqual({ url })
    const filled = `https://order.example/terrace?table=4%20%26%205&c=${tag.code}&m=${venue.id}`
    for (const path of [`/t/${tag.code}`, `/T/${tag.code}`, `/t/${tag.id}`]) {
      const { status, headers } = await send(`${path}?utm_source=mail`)
      expect([status, headers.get('location')]).toEqual([302, `${filled}&utm_source=mail`])
    }
    expect((await venue.post(`/tags/${tag.id}/details`, { url: null })).body).toEqual({})
    expect(await leadsTo(tag)).toBe(`https://order.example/live?tag=${tag.id}`)
  })

  test('leads to the first rule that matches, by the clock of the venue', async () => {
    const venue = await openVenue()
    const tag = await createTag(venue)
    await venue.post(`/tags/${tag.id}/details`, {
      url: 'https://order.example/other?t={code}',
      rules: [
        { when: { days: ['fri'], begin: '2200', end: '0200' }, url: 'https://order.example/night?t={code}' },
        { when: { begin: '2300', end: '2330' }, url: 'https://order.example/late?t={code}' },
        { when: { days: ['sat'] }, url: 'https://order.example/saturday?t={code}' },
      ],
    })
    const at = async (time: string) => {
      vi.setSystemTime(Date.parse(time))
      return (await leadsTo(tag))?.replace(`?t=${tag.code}`, '').split('/').at(-1)
    }
    expect(await at('2026-12-04T20:59:59Z')).toBe('other')
    expect(await at('2026-12-04T21:00:00Z')).toBe('night')
    expect(await at('2026-12-04T22:15:00Z')).toBe('night')
    expect(await at('2026-12-05T00:59:59Z')).toBe('night')
    expect(await at('2026-12-05T01:00:00Z')).toBe('saturday')
    expect(await at('2026-12-06T22:10:00Z')).toBe('late')
    expect(await at('2026-12-06T22:30:00Z')).toBe('other')
  })

  test('leads by the language of the guest: that of the address, otherwise the preferred one', async () => {
    const venue = await openVenue()
    const tag = await createTag(venue)
    const rules = ['de', 'pt-BR', 'zh-Hant'].map((lang) => ({
      when: { lang },
      url: `https://order.example/${lang}?t={code}`,
    }))
    await venue.post(`/tags/${tag.id}/details`, { rules })
    const to = async (query: string, header?: string) => {
      const location = await leadsTo(tag, query, header === undefined ? {} : { headers: { 'accept-language': header } })
      return new URL(location ?? '').pathname.slice(1)
    }
    expect(await to('', 'de-CH,de;q=0.9,en;q=0.8')).toBe('de')
    expect(await to('', 'en;q=0.8,de')).toBe('de')
    expect(await to('', 'en,de;q=0.9')).toBe('live')
    expect(await to('', '*,de')).toBe('de')
    expect(await to('?lang=pt-br', 'de')).toBe('pt-BR')
    expect(await to('?lang=pt', 'de')).toBe('live')
    expect(await to('?lang=zh-hant-tw')).toBe('zh-Hant')
    expect(await to('?lang=den')).toBe('live')
    expect(await to('?lang=%E2%80%AE', 'de')).toBe('de')
    expect(await to('')).toBe('live')
    expect(await to('', ''.padEnd(5_000, 'de,'))).toBe('de')
  })

  test('of a test tag never leads to the live address by default', async () => {
    const venue = await openVenue()
    const tag = await createTag(venue, { testMode: true })
    const rules = [{ when: { lang: 'de' }, url: 'https://sandbox.example/de' }]
    await venue.post(`/tags/${tag.id}/details`, { rules })
    expect(await leadsTo(tag)).toBe(`https://sandbox.example/test?tag=${tag.id}`)
    expect(await leadsTo(tag, '?lang=de')).toBe(`https://sandbox.example/de?tag=${tag.id}&lang=de`)
    await change(venue, { sandboxUrl: null })
    expect(await leadsTo(tag, '?lang=de')).toBe(`/m/${venue.id}?tag=${tag.id}&lang=de`)
  })

  test('leads to the address of the merchant after a host was removed, also from KV and from the database', async () => {
    const venue = await openVenue()
    const tag = await createTag(venue)
    await change(venue, { destinationHosts: ['bar.example:8443'] })
    const own = 'https://bar.example:8443/menu'
    await venue.post(`/tags/${tag.id}/details`, { url: own, rules: [{ when: { lang: 'de' }, url: own }] })
    expect(await leadsTo(tag)).toBe(`${own}?tag=${tag.id}`)
    await change(venue, { destinationHosts: null })
    const fallback = `https://order.example/live?tag=${tag.id}`
    expect([await leadsTo(tag), await leadsTo(tag, '?lang=de')]).toEqual([fallback, `${fallback}&lang=de`])
    expect((await venue.get(`/tags/${tag.id}/details`)).body.url).toBe(own)
    for (const failures of [{}, { read: broken }]) {
      const worker = createTestWorker()
      Object.assign(worker.failures, failures)
      vi.setSystemTime(Date.now() + 10_000)
      const { headers } = await worker.fetch(`/t/${tag.code}`)
      expect(headers.get('location')).toBe(fallback)
    }
  })

  test.each(['d1', 'object'] as const)('is known to KV and, without KV, to the database: %s', async (home) => {
    const venue = await openVenue()
    const tag = await createTag(venue)
    const url = 'https://order.example/own'
    if (env.DEFAULT_HOME !== home) await moveTo(venue.id, home)
    const rules = [{ when: { lang: 'de' }, url: 'https://www.otter.example/de' }]
    await venue.post(`/tags/${tag.id}/details`, { url, rules })
    for (const failures of [{}, { read: broken }]) {
      for (const [query, location] of [
        ['', `${url}?tag=${tag.id}`],
        ['?lang=de', `https://www.otter.example/de?tag=${tag.id}&lang=de`],
      ]) {
        const worker = createTestWorker()
        Object.assign(worker.failures, failures)
        // Isolates forget after 5 seconds.
        vi.setSystemTime(Date.now() + 10_000)
        const { headers } = await worker.fetch(`/t/${tag.code}${query}`)
        expect([home, headers.get('location')]).toEqual([home, location])
      }
    }
    // The tag keeps its destination when its own fields change.
    await venue.post(`/tags/${tag.id}`, { metadata: [{ key: 'table', value: '9' }] })
    expect(await leadsTo(tag)).toBe(`${url}?tag=${tag.id}`)
  })

  test('stays with its destination when it changes its mode, and returns with a restored tag', async () => {
    const venue = await openVenue()
    const tag = await createTag(venue)
    const url = 'https://order.example/own'
    await venue.post(`/tags/${tag.id}/details`, { url })
    await venue.post(`/tags/${tag.id}`, { testMode: true })
    expect(await leadsTo(tag)).toBe(`${url}?tag=${tag.id}`)
    expect((await venue.get(`/tags/${tag.id}/details`)).body).toEqual({ url })
    await venue.remove(`/tags/${tag.id}`)
    expect((await send(`/t/${tag.code}`)).status).toBe(410)
    expect((await venue.post(`/tags/${tag.id}/restore`, undefined)).status).toBe(200)
    expect((await venue.get(`/tags/${tag.id}/details`)).body).toEqual({ url })
    vi.setSystemTime(Date.now() + 10_000)
    expect(await leadsTo(tag)).toBe(`${url}?tag=${tag.id}`)
  })
})

test('the hosted menu of a tag shows only menus for its order type', async () => {
  const venue = await openVenue()
  const { body: product } = await venue.post('/products', { title: 'Soup', price: 5 })
  const sections = [{ title: 'All', items: [product.id] }]
  for (const [title, orderTypes] of [
    ['Inside', ['dine_in']],
    ['Away', ['takeaway', 'delivery']],
    ['Always', null],
  ] as const) {
    const { body: menu } = await venue.post('/menus', { title, sections })
    await venue.post(`/menus/${menu.id}/details`, { orderTypes })
  }
  const tag = await createTag(venue)
  const titles = async (address: string) =>
    (await send(address)).body.menus.map(({ title }: { title: string }) => title).sort()
  expect(await titles(`/m/${venue.id}.json?tag=${tag.id}`)).toEqual(['Always', 'Away', 'Inside'])
  await venue.post(`/tags/${tag.id}/details`, { orderType: 'takeaway' })
  expect(await titles(`/m/${venue.id}.json?tag=${tag.id}&at=${Math.floor(fridayNight / 1000)}`)).toEqual([
    'Always',
    'Away',
  ])
  const page = String((await send(`/m/${venue.id}?tag=${tag.code}&at=${Math.floor(fridayNight / 1000)}`)).body)
  expect([page.includes('Away'), page.includes('Inside')]).toEqual([true, false])
  expect(await titles(`/m/${venue.id}.json?at=${Math.floor(fridayNight / 1000)}`)).toEqual(['Always', 'Away', 'Inside'])
})
