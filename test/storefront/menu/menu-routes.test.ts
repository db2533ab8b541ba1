import { describe, expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { createCatalogue, load } from '../../support/catalogue.ts'
import { at, createCafe, headings } from './cafe.ts'

describe('the page of a menu', () => {
  test('has headings for the venue, its menus and sections, in order', async () => {
    const cafe = await createCafe()
    const { status, body } = await send(cafe.page + at('10:00'))
    expect(status).toBe(200)
    expect(headings(body)).toEqual([
      '1 Café',
      ...['2 All day', '3 Drinks', '3 Food', '2 Breakfast', '3 Eggs'],
      ...['2 Late night', '3 Bar', '3 Bites'],
    ])
    expect(body).toMatch(/^<!doctype html><html lang="en">/)
    for (const landmark of ['<header>', '<main>', '<nav class="bar" aria-label="Menus">'])
      expect(body).toContain(landmark)
    expect(body.indexOf('Last cake')).toBeLessThan(body.indexOf('>Toast<'))
  })

  test("shows prices in the venue's format", async () => {
    const cafe = await createCafe()
    const { body } = await send(cafe.page + at('15:00'))
    for (const text of [
      '2,40\u00a0€',
      '1234,50\u00a0€',
      '110\u00a0kcal',
      'In a tall glass.',
      'Which milk?',
      '<bdi>Oat</bdi><b>+0,40\u00a0€</b>',
      '<bdi>None</bdi><b>-0,50\u00a0€</b>',
      '<bdi>Whole</bdi>',
      'Sold out',
    ]) {
      expect(body).toContain(text)
    }
    expect(body).toContain('<img src="https://images.example.com/toast.jpg" alt="" loading="lazy"')
  })

  test.each([
    [{ currency: 'JPY', timezone: 'Asia/Tokyo' }, '¥1,234.5', '¥2.4'],
    [{ currency: 'USD', timezone: 'America/New_York' }, '$1,234.50', '$2.40'],
    [{ currency: 'GBP', timezone: 'Europe/London' }, '£1,234.50', '£2.40'],
    [{ currency: 'EUR', timezone: 'Europe/Berlin' }, '1.234,50\u00a0€', '2,40\u00a0€'],
    [{ currency: 'KWD', timezone: 'Asia/Kuwait' }, 'KWD\u00a01,234.500', 'KWD\u00a02.400'],
    [{ currency: null, timezone: 'UTC' }, '1,234.5', '2.4'],
  ])('shows prices in %o', async (merchant, ...prices) => {
    const cafe = await createCafe(merchant)
    const { body } = await send(`${cafe.page}?at=1795251600`)
    for (const price of prices) expect(body).toContain(`<span>${price}</span>`)
  })

  test('contains no hidden data', async () => {
    const cafe = await createCafe()
    const tag = await cafe.post('/tags', {
      metadata: [
        { key: 'table', value: '4' },
        { key: 'ward', value: 'hidden-ward', visible: false },
      ],
    })
    for (const path of [cafe.page, cafe.data]) {
      const { status, body } = await send(`${path}?tag=${tag.body.id}`)
      expect(status).toBe(200)
      const text = JSON.stringify(body)
      for (const secret of [
        'Winter',
        'Staff only',
        'Secret',
        'hidden-ward',
        'ward',
        'SKU-SECRET',
        'supplier',
        'Breakfast menu',
        'version',
        'seq',
      ]) {
        // As a whole word, because an id can contain `seq`.
        expect(text).not.toMatch(new RegExp(`\\b${secret}\\b`))
      }
      expect(text).toContain('Table 4')
    }
  })

  test('shows a change at once without the cache', async () => {
    const cafe = await createCafe()
    await cafe.post(`/products/${cafe.products[0]}`, { title: 'Meia de leite', price: 2.6 })
    const { body } = await send(cafe.page)
    expect(body).toContain('Meia de leite')
    expect(body).not.toContain('Galão')
  })

  test.each([
    ['10:00', ['All day', 'Breakfast'], ['Late night']],
    ['07:29', ['All day'], ['Breakfast', 'Late night']],
    ['07:30', ['All day', 'Breakfast'], ['Late night']],
    ['11:30', ['All day'], ['Breakfast', 'Late night']],
    ['23:00', ['All day', 'Late night'], ['Breakfast']],
    ['02:59', ['All day', 'Late night'], ['Breakfast']],
    ['03:00', ['All day'], ['Breakfast', 'Late night']],
  ])('shows the menus that are open at %s, then the closed ones', async (time, open, closed) => {
    const cafe = await createCafe()
    const { body: page } = await send(cafe.page + at(time))
    expect(headings(page).filter((text) => text.startsWith('2'))).toEqual(
      [...open, ...closed].map((title) => `2 ${title}`),
    )
    expect(Array.from(page.matchAll(/<summary><h2><bdi>(.*?)</g), ([, title]) => title)).toEqual(closed)
    const { body } = await send(cafe.data + at(time))
    const getTitles = (menus: { title: string }[]) => menus.map(({ title }) => title)
    expect([getTitles(body.menus), getTitles(body.closedMenus)]).toEqual([open, closed])
  })

  test('has links to sections if the menu enables them', async () => {
    const cafe = await createCafe()
    const { body } = await send(cafe.page + at('23:00'))
    expect(body).toContain('<a href="#s1-2"><bdi>Food</bdi></a>')
    expect(body).toContain('<section id="s1-2">')
    expect(body).not.toContain('aria-label="Late night"')
  })

  test('says when the next menu opens if none is open', async () => {
    const venue = await createVenue({ name: 'Bar', timezone: 'Europe/Lisbon' })
    expect((await send(`/m/${venue.id}`)).body).toContain('There is no menu here yet.')
    await venue.post('/menus', { title: 'Supper', begin: '1900', end: '2300' })
    expect((await send(`/m/${venue.id}${at('12:00')}`)).body).toContain('<bdi>Supper</bdi> is served from 19:00.')
    expect((await send(`/m/${venue.id}${at('23:30')}`)).body).toMatch(
      /<bdi>Supper<\/bdi> is served from Sunday.* 19:00\./,
    )
    expect((await send(`/m/${venue.id}${at('12:00')}&lang=de`)).body).toContain('<bdi>Supper</bdi> gibt es ab 19:00.')
    expect(
      (await send(`/m/${venue.id}${at('12:00')}`, { headers: { 'accept-language': 'xx, fr-CH;q=0.9, de;q=0.8' } }))
        .body,
    ).toContain('<html lang="fr">')
  })

  test('contains escaped JSON-LD', async () => {
    const cafe = await createCafe({ name: '</script><script>alert(1)</script>' })
    const { body } = await send(cafe.page + at('15:00'))
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'Restaurant',
      name: '</script><script>alert(1)</script>',
      hasMenu: [
        {
          '@type': 'Menu',
          name: 'All day',
          hasMenuSection: [
            { name: 'Drinks', hasMenuItem: [{ name: 'Galão', offers: { price: 2.4, priceCurrency: 'EUR' } }] },
            {},
          ],
        },
        {},
        {},
      ],
    })
    expect(body.match(/<script/g)).toHaveLength(2)
    expect(body).toContain('<h1 class="long"><bdi>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi></h1>')
  })

  test('is small', async () => {
    const venue = await createVenue()
    await load(venue.post, createCatalogue(60))
    const { body } = await send(`/m/${venue.id}`)
    expect(body.match(/class="dish"/g)).toHaveLength(60)
    const zipped = await new Response(
      new Blob([body]).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer()
    console.log(`figure: a menu of 60 dishes, ${zipped.byteLength} bytes compressed`)
    expect(zipped.byteLength).toBeLessThanOrEqual(14 * 1024)
  })
})

describe('the parameter at', () => {
  test.each([
    '1795258800',
    '2026-11-21T11:00:00Z',
    '2026-11-21T12:00:00+01:00',
    '2026-11-21T12:00:00%2B01:00',
    '2026-11-21T11:00:00.5Z',
    '2026-11-21T11:00Z',
    '0',
    '253402214400',
  ])('%s', async (moment) => {
    const { id } = await createVenue()
    expect((await send(`/m/${id}?at=${moment}`)).status).toBe(200)
    const { status, body } = await send(`/m/${id}.json?at=${moment}`)
    expect(status).toBe(200)
    if (moment.length > 1 && !moment.startsWith('25')) expect(body.availableAt).toBe(1795258800)
  })

  test.each([
    '',
    'now',
    '-1',
    '1.5',
    '1e9',
    '2026-11-21',
    '2026-11-21T11:00:00',
    '2026-02-30T11:00:00Z',
    '2026-11-21T25:00:00Z',
    '253402214401',
    '9'.repeat(400),
    '<script>',
  ])('%j is not a time', async (moment) => {
    const { id } = await createVenue()
    const page = await send(`/m/${id}?at=${encodeURIComponent(moment)}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8'])
    const { status, body } = await send(`/m/${id}.json?at=${encodeURIComponent(moment)}`)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ parameter: 'at', code: 'invalid_format' }])
  })
})
