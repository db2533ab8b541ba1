import { describe, expect, test } from 'vitest'
import { toIssues } from '../../support/api.ts'
import { change, createTag, leadsTo, openVenue } from '../../support/destinations.ts'

describe('details of a tag', () => {
  test.each([
    'https://evil.example/',
    'https://order.example.evil.example/',
    'https://order.example@evil.example/',
    'https://order.example:secret@evil.example/',
    'https://evil.example\\@order.example/',
    'https://order.example\\@evil.example/',
    'https://order.example\\.evil.example/',
    'https:\\\\evil.example/',
    'https:///evil.example/',
    'https:evil.example',
    '//evil.example/',
    '/\\evil.example',
    'https://{tag}.evil.example/',
    'https://order.example{metadata.x}/',
    'https://order.example:{tag}/',
    'https://ordеr.example/',
    'https://order.example。evil.example/',
    'https://order.example:8443/',
    'https://order%2eexample.evil.example/',
    'https://order.example\t@evil.example/',
    'javascript://order.example/%0aalert(1)',
    'data:text/html,order.example',
    'ftp://order.example/',
    'https://user@order.example/',
    ' https://order.example/',
    '',
  ])('never have the address %s, nor does a rule', async (url) => {
    const venue = await openVenue()
    const { id } = await createTag(venue)
    const codes = 'invalid_format invalid_value too_short invalid_character'.split(' ')
    for (const [body, pointer] of [
      [{ url }, '/url'],
      [{ rules: [{ when: { lang: 'de' }, url }] }, '/rules/0/url'],
    ] as const) {
      const [issue = '', ...others] = toIssues(await venue.post(`/tags/${id}/details`, body))
      expect([issue.split(' ')[0], codes.includes(issue.split(' ')[1] ?? ''), others]).toEqual([pointer, true, []])
    }
    expect((await venue.get(`/tags/${id}/details`)).body).toEqual({})
  })

  test.each([
    'https://order.example',
    'http://order.example/',
    'HTTPS://ORDER.EXAMPLE/Menu',
    'https://order.example:443/x',
    'https://sandbox.example/{tag}/{code}#{merchant}',
    'https://www.otter.example/über?x={metadata.table number}',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
  ])('may have the address %s', async (url) => {
    const venue = await openVenue()
    expect((await change(venue, { destinationHosts: ['BÜCHER.example'] })).body.destinationHosts).toEqual([
      'xn--bcher-kva.example',
    ])
    const tag = await createTag(venue)
    expect((await venue.post(`/tags/${tag.id}/details`, { url })).body).toEqual({ url })
    const { host } = new URL((await leadsTo(tag)) ?? '')
    expect(['order.example', 'sandbox.example', 'www.otter.example', 'xn--bcher-kva.example']).toContain(host)
  })

  test('reject incomplete conditions, more than 10 rules and more than 4 KiB', async () => {
    const venue = await openVenue()
    const { id } = await createTag(venue)
    const url = 'https://order.example/'
    const of = async (rules: unknown) => toIssues(await venue.post(`/tags/${id}/details`, { rules }))
    expect(await of([{ when: {}, url }])).toEqual(['/rules/0/when required'])
    expect(await of([{ when: { begin: '0900' }, url }])).toEqual(['/rules/0/when/end required'])
    expect(await of([{ when: { end: '0900' }, url }])).toEqual(['/rules/0/when/begin required'])
    expect(await of([{ when: { begin: '0900', end: '0900' }, url }])).toEqual(['/rules/0/when/end conflict'])
    expect(await of([{ when: { days: [] }, url }])).toEqual(['/rules/0/when/days too_short'])
    expect(await of([{ when: { days: ['fri', 'fri'] }, url }])).toEqual(['/rules/0/when/days/1 duplicate'])
    expect(await of([{ when: { lang: 'german!' }, url }])).toEqual(['/rules/0/when/lang invalid_format'])
    expect(await of([{ when: { lang: 'de' } }])).toEqual(['/rules/0/url required'])
    expect(await of(Array(11).fill({ when: { lang: 'de' }, url }))).toEqual(['/rules too_many'])
    expect(
      (await venue.post(`/tags/${id}/details`, { rules: Array(10).fill({ when: { lang: 'de' }, url }) })).status,
    ).toBe(200)
    const long = (length: number) => ({ rules: null, url: url.padEnd(length, 'x') })
    const two = (length: number) => ({
      url: null,
      rules: [1, 2].map(() => ({ when: { lang: 'de' }, url: url.padEnd(length, 'x') })),
    })
    expect((await venue.post(`/tags/${id}/details`, long(2_048))).status).toBe(200)
    const frame = JSON.stringify({ rules: two(22).rules }).length - 44
    const fitting = Math.floor((4_096 - frame) / 2)
    expect((await venue.post(`/tags/${id}/details`, two(fitting))).status).toBe(200)
    expect(toIssues(await venue.post(`/tags/${id}/details`, two(fitting + 1)))).toEqual(['/rules too_long'])
    expect(toIssues(await venue.post(`/tags/${id}/details`, { orderType: 'buffet' }))).toEqual([
      '/orderType invalid_value',
    ])
  })

  test('need no further scope for hosts that the merchant has; further hosts are those of the merchant', async () => {
    const venue = await openVenue()
    const { id } = await createTag(venue)
    const url = 'https://bar.example/'
    expect(toIssues(await venue.post(`/tags/${id}/details`, { url }))).toEqual(['/url invalid_value'])
    const hosts = (destinationHosts: unknown) => change(venue, { destinationHosts })
    for (const host of [
      '',
      '*',
      '*.bar.example',
      'https://bar.example',
      'bar.example/',
      'a@bar.example',
      'b c',
      '{tag}.example',
      'bar.example:x',
      '%62ar.example',
    ])
      expect([host, toIssues(await hosts([host]))[0]?.split(' ')[0]]).toEqual([host, '/destinationHosts/0'])
    expect(toIssues(await hosts(Array.from({ length: 11 }, (_, n) => `h${n}.example`)))).toEqual([
      '/destinationHosts too_many',
    ])
    expect((await hosts(['bar.example'])).status).toBe(200)
    expect((await venue.post(`/tags/${id}/details`, { url })).status).toBe(200)
  })

  test('are changed in both modes by a live key, and only in its mode by a test key', async () => {
    const venue = await openVenue()
    const [live, trial] = [await createTag(venue), await createTag(venue, { testMode: true })]
    const body = { orderType: 'delivery' }
    for (const { id } of [live, trial]) {
      expect((await venue.post(`/tags/${id}/details`, body)).body).toEqual(body)
      expect((await venue.get(`/tags/${id}?include=details`)).body.details).toEqual(body)
    }
    expect((await venue.get('/tags?include=details')).body.map(({ details }: { details: unknown }) => details)).toEqual(
      [body, body],
    )
    const { results } = (
      await venue.post('/batch', {
        operations: [live, trial].map(({ id }) => ({
          op: 'update',
          resource: 'tags',
          id,
          body: {},
          details: { url: 'https://order.example/b' },
        })),
      })
    ).body
    expect(results.map(({ status }: { status: number }) => status)).toEqual([200, 200])
    for (const tag of [live, trial]) expect(await leadsTo(tag)).toBe(`https://order.example/b?tag=${tag.id}`)
    const events = (await venue.get('/events?types=tag.details_updated')).body
    expect(events.map(({ data }: { data: { id: string } }) => data.id)).toEqual([live.id, live.id])
    const faulty = { op: 'update', resource: 'tags', id: live.id, body: {}, details: { url: 'https://evil.example/' } }
    const refused = await venue.post('/batch', { operations: [faulty] })
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.body)).toContain('/details/url')
  })
})
