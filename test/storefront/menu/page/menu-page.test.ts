import { describe, expect, test } from 'vitest'
import { createVenue, send } from '../../../support/api.ts'
import { load } from '../../../support/catalogue.ts'

/** A venue whose texts are in Arabic, with a product that is sold out. */
async function createArabicCafe() {
  const venue = await createVenue({ name: 'مقهى الياسمين', currency: 'AED', timezone: 'Asia/Dubai' })
  await load(venue.post, {
    modifiers: [{ title: 'الحجم', options: [{ label: 'كبير', preSelected: true }] }],
    products: [{ title: 'قهوة عربية', price: 18, manageStock: true, stockQuantity: 0, modifiers: [0] }],
    menus: [
      { title: 'المشروبات', begin: '0700', end: '2300', sections: [{ title: 'ساخنة', items: [0] }] },
      { title: 'العشاء', begin: '1900', end: '2300', sections: [{ title: 'باردة', items: [0] }] },
    ],
  })
  return `/m/${venue.id}?at=2026-11-21T10:00:00Z`
}

describe('the language of a page', () => {
  test('is that of the menu; texts of the service in another language say so', async () => {
    const page = await createArabicCafe()
    const { body } = await send(`${page}&lang=de`)
    expect(body).toContain('<html lang="ar" dir="rtl">')
    for (const text of ['Ausverkauft', 'optional', '✓ vorausgewählt', 'ab 19:00']) {
      expect(body).toContain(`<bdi lang="de">${text}</bdi>`)
    }
    expect(body).toMatch(/<nav class="bar" aria-label="Karten" lang="de">.*?<ul lang="ar">/)
  })

  test('is the default language of the texts of the service', async () => {
    const page = await createArabicCafe()
    for (const [path, headers] of [
      [page, {}],
      [page, { 'accept-language': 'is' }],
      [`${page}&lang=ar-EG`, { 'accept-language': 'de' }],
    ] as const) {
      const { body } = await send(path, { headers })
      expect(body).toContain('نفدت الكمية')
      expect(body).not.toContain('<bdi lang=')
    }
    expect((await send(page, { headers: { 'accept-language': 'tr' } })).body).toContain('<bdi lang="tr">Tükendi</bdi>')
  })

  test('is not claimed to be one with another writing direction', async () => {
    const venue = await createVenue({ name: 'Bar' })
    const { body } = await send(`/m/${venue.id}?lang=ar`)
    expect(body).toContain('<html lang="und">')
    expect(body).toContain('<bdi lang="ar">لا توجد قائمة هنا بعد.</bdi>')
  })
})

describe('the head of a page', () => {
  const createBar = async (merchant: object = {}, title = 'All day') => {
    const venue = await createVenue({ name: 'Bar & "Grill"', ...merchant })
    await load(venue.post, {
      modifiers: [],
      products: [{ title: 'Olives', price: 4, images: [{ url: 'https://images.example.com/olives.jpg' }] }],
      menus: [
        {
          title,
          branding: { banner: 'http://images.example.com/banner.jpg', icon: 'https://images.example.com/icon.png' },
          sections: [{ title: 'Snacks', items: [0] }],
        },
      ],
    })
    return venue
  }

  test('describes the menu to search engines and link previews', async () => {
    const { id } = await createBar()
    const { body } = await send(`/m/${id}?lang=de`)
    const name = 'Bar &amp; &quot;Grill&quot;'
    for (const element of [
      `<meta name="description" content="${name} · All day · Snacks">`,
      `<link rel="canonical" href="https://menu.example/m/${id}">`,
      `<meta property="og:title" content="${name}">`,
      `<meta property="og:description" content="${name} · All day · Snacks">`,
      `<meta property="og:url" content="https://menu.example/m/${id}">`,
      '<meta property="og:image" content="https://images.example.com/olives.jpg">',
      '<meta name="theme-color" content="#fdf9f3" media="(prefers-color-scheme:light)">',
      '<link rel="icon" href="data:image/svg+xml,',
    ]) {
      expect(body).toContain(element)
    }
  })

  test.each([
    [160, ' · Snacks'],
    [161, ' · Snac…'],
  ])('has a description of at most 160 characters: %i end with "%s"', async (length, end) => {
    const title = '🍕'.repeat(length - 'Bar ·  · Snacks'.length)
    const { id } = await createBar({ name: 'Bar' }, title)
    const [, text = ''] = /name="description" content="(.*?)"/.exec((await send(`/m/${id}`)).body) ?? []
    expect(text).toBe(`Bar · ${title}${end}`)
  })

  test('and the page leave out http: pictures', async () => {
    const { id } = await createBar()
    const { body } = await send(`/m/${id}`)
    expect(body).not.toContain('http://images.example.com')
    expect(body).toContain('<figure class="icon"><img src="https://images.example.com/icon.png"')
  })
})
