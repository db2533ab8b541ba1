import { describe, expect, test } from 'vitest'
import { toAccent } from '../../../../src/storefront/pages/accent-color.ts'
import { createVenue, send } from '../../../support/api.ts'
import { load } from '../../../support/catalogue.ts'

const profile = {
  language: 'pt-PT',
  logo: 'https://otter.example/logo.png',
  color: '#ffcc00',
  address: { street: 'Rua do Ouro 1', postalCode: '1100-060', city: 'Lisboa', region: 'Lisboa', country: 'PT' },
  phone: '+351 21 000 00 00',
  website: 'https://www.otter.example/',
  openingHours: [
    { days: ['mon', 'tue', 'wed', 'sat'], opens: '0730', closes: '0200' },
    { days: ['sun'], opens: '0000', closes: '2400' },
  ],
}
const createCafe = async (merchant: object = profile) => {
  const venue = await createVenue({ name: 'Otter', timezone: 'Europe/Lisbon', currency: 'EUR', ...merchant })
  await load(venue.post, {
    modifiers: [],
    products: [{ title: 'Galão', price: 2.4 }],
    menus: [{ title: 'Bebidas', sections: [{ title: 'Café', items: [0] }] }],
  })
  return venue
}
const getPage = async ({ id }: { id: string }, search = '') => (await send(`/m/${id}${search}`)).body as string

describe('the head of a menu', () => {
  test('shows the profile of the venue', async () => {
    const page = await getPage(await createCafe(), '?lang=pt')
    expect(page).toContain('<html lang="pt-PT">')
    expect(page).toContain(`<figure class="logo"><img src="${profile.logo}"`)
    expect(page).toContain('<p><bdi>Rua do Ouro 1</bdi> · <bdi>1100-060 Lisboa</bdi></p>')
    expect(page).toContain('<a href="tel:+351210000000" dir="ltr">+351 21 000 00 00</a>')
    expect(page).toContain('<a href="https://www.otter.example/" dir="ltr">otter.example</a>')
    expect(page).toContain('<li>segunda – quarta, sábado <bdi>7:30 – 2:00</bdi></li><li>domingo</li>')
    // The texts of the service are in the language of the venue.
    expect(page).not.toContain('<bdi lang=')
  })

  test('marks texts of the service in another language', async () => {
    const page = await getPage(await createCafe(), '?lang=de')
    expect(page).toContain('<html lang="pt-PT">')
    expect(page).toContain('<li><bdi lang="de">Mo – Mi, Sa</bdi> <bdi>')
  })

  test('shows nothing where the venue states nothing', async () => {
    const page = await getPage(await createCafe({}))
    expect(page).not.toMatch(/<address|class="logo"/)
  })

  test('writes a Japanese address from the largest part on, and days that go on from Sunday to Monday as one range', async () => {
    const address = { street: '道玄坂1-2-3', postalCode: '150-0043', city: '渋谷区', region: '東京都', country: 'JP' }
    const days = ['mon', 'tue', 'wed', 'fri', 'sat', 'sun']
    const openingHours = [{ days, opens: '0730', closes: '2200' }]
    const page = await getPage(await createCafe({ address, openingHours }), '?lang=en')
    expect(page).toContain('<p><bdi>150-0043 東京都</bdi> · <bdi>渋谷区</bdi> · <bdi>道玄坂1-2-3</bdi></p>')
    expect(page).toContain('<li>Fri – Wed <bdi>')
    const inLatin = { ...address, street: 'Dogenzaka 1-2-3', city: 'Shibuya', region: 'Tokyo' }
    expect(await getPage(await createCafe({ address: inLatin }))).toContain(
      '<bdi>Dogenzaka 1-2-3</bdi> · <bdi>Shibuya</bdi>',
    )
  })

  test.each([
    ['US', 'Main Street 1 · Springfield · IL 62701'],
    ['DE', 'Main Street 1 · 62701 Springfield · IL'],
  ])('writes an address as usual in %s', async (country, expected) => {
    const address = { street: 'Main Street 1', postalCode: '62701', city: 'Springfield', region: 'IL', country }
    const page = await getPage(await createCafe({ address }))
    expect(page.replaceAll(/<\/?bdi>/g, '')).toContain(`<p>${expected}</p>`)
  })

  test.each([
    ['+49 (0)30 1234567', '+49301234567'],
    ['+44 (0) 20 7946 0000', '+442079460000'],
    ['0049 (0)30 1234567', '0049301234567'],
    ['(030) 12 34 56', '030123456'],
    ['(0)30 123456', '030123456'],
    ['+39 06 1234 5678', '+390612345678'],
    ['+1 (212) 555-0100 x12', '+12125550100'],
  ])('links the phone number %s to %s', async (phone, number) => {
    expect(await getPage(await createCafe({ phone }))).toContain(`<a href="tel:${number}" dir="ltr">${phone}</a>`)
  })

  test('shows no logo that browsers would block', async () => {
    expect(await getPage(await createCafe({ logo: 'http://otter.example/logo.png' }))).not.toContain('class="logo"')
  })

  test('escapes what the venue states', async () => {
    const cafe = await createCafe({
      address: { city: '<script>alert(1)</script>' },
      website: 'https://otter.example/"onclick=alert(1)//',
    })
    expect(await getPage(cafe)).not.toMatch(/<script>alert|[^\\]"onclick/)
  })
})

test('the style sheet with the color of the venue is allowed by the policy, and others are not', async () => {
  const { body, headers } = await send(`/m/${(await createCafe()).id}`)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? []
  const { light, dark } = toAccent(profile.color, 'cafe')
  expect(style).toContain(`--mark:${light}`)
  expect(style).toContain(`--mark:${dark}`)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  const policy = headers.get('content-security-policy')
  expect(policy).toContain(`style-src 'sha256-${new Uint8Array(digest).toBase64()}';`)
  expect(policy).toContain("img-src 'self' https: data:")
})

test('the data has the profile', async () => {
  const { body } = await send(`/m/${(await createCafe()).id}.json`)
  expect(body.venue).toMatchObject({ ...profile, direction: 'ltr', locale: 'pt-PT' })
})

test('the profile decides the direction and the country of prices', async () => {
  const { body } = await send(
    `/m/${(await createCafe({ language: 'ar', address: { country: 'AE' }, currency: 'EUR' })).id}.json`,
  )
  expect(body.venue).toMatchObject({ language: 'ar', direction: 'rtl', locale: 'ar-AE' })
})

test('JSON-LD describes a restaurant', async () => {
  const page = await getPage(await createCafe())
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  expect(JSON.parse(data)).toMatchObject({
    '@type': 'Restaurant',
    name: 'Otter',
    logo: profile.logo,
    telephone: profile.phone,
    url: profile.website,
    address: {
      '@type': 'PostalAddress',
      streetAddress: 'Rua do Ouro 1',
      postalCode: '1100-060',
      addressLocality: 'Lisboa',
      addressRegion: 'Lisboa',
      addressCountry: 'PT',
    },
    openingHoursSpecification: [
      { dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Saturday'].map((day) => `https://schema.org/${day}`) },
      { dayOfWeek: ['https://schema.org/Sunday'], opens: '00:00', closes: '23:59' },
    ],
  })
})
