import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'
import { createTestWorker, restoreTime } from '../../support/test-worker.ts'
import { createVisitors, many, statusesOf } from '../../support/visitors.ts'

/** A café in English, mostly translated to German and Arabic. */
async function createCafe(merchant: object = { language: 'en' }) {
  const venue = await createVenue({ name: 'Otter', timezone: 'Europe/London', currency: 'GBP', ...merchant })
  const products = await load(venue.post, {
    modifiers: [{ title: 'Milk', instructions: 'Your choice', options: [{ label: 'Oat' }, { label: 'Cow' }] }],
    products: [
      { title: 'Coffee', description: 'Black', price: 3, modifiers: [0] },
      { title: 'Tea', description: 'Hot', price: 2 },
    ],
    menus: [
      {
        title: 'Drinks',
        description: 'All day',
        sections: [
          { title: 'Warm', items: [0, 1] },
          { title: 'More', items: [1] },
        ],
      },
    ],
  })
  const [menu] = (await venue.get('/menus')).body
  const [modifier] = (await venue.get('/modifiers')).body
  const state = async (path: string, translations: object) => {
    const { status } = await venue.post(`${path}/details`, { translations })
    if (status !== 200) throw new Error(`${path}: ${status}`)
  }
  await state(`/products/${products[0]}`, {
    de: { title: 'Kaffee', description: 'Schwarz' },
    ar: { title: 'قهوة', description: 'سوداء' },
  })
  await state(`/products/${products[1]}`, { de: { title: 'Tee' } })
  await state(`/menus/${menu.id}`, {
    de: { title: 'Getränke', sections: { [menu.sections[0].id]: { title: 'Warmes' } } },
  })
  await state(`/modifiers/${modifier.id}`, {
    de: { title: 'Milch', options: { [modifier.options[0].id]: { label: 'Hafer' } } },
  })
  const page = async (query = '', headers: Record<string, string> = {}) =>
    (await send(`/m/${venue.id}${query}`, { headers })).body as string
  return {
    ...venue,
    page,
    products,
    menu,
    modifier,
    data: async (query = '') => (await send(`/m/${venue.id}.json${query}`)).body,
  }
}
const cafe = await createCafe()

describe('a menu', () => {
  test('is in the language of the guest, and marks texts that are not translated', async () => {
    for (const page of [await cafe.page('?lang=de'), await cafe.page('', { 'accept-language': 'de-CH,fr;q=0.8' })]) {
      expect(page).toContain('<html lang="de">')
      for (const text of ['Getränke', 'Warmes', 'Kaffee', 'Schwarz', 'Tee', 'Milch', 'Hafer']) {
        expect(page).toContain(`<bdi>${text}</bdi>`)
      }
      for (const text of ['Otter', 'All day', 'More', 'Hot', 'Your choice', 'Cow']) {
        expect(page).toContain(`<bdi lang="en">${text}</bdi>`)
      }
      expect(page).not.toMatch(/Coffee|Tea<|Drinks|Oat/)
      expect(page).toContain('"inLanguage":"de"')
      expect(page).toContain(`<link rel="canonical" href="https://menu.example/m/${cafe.id}?lang=de">`)
    }
  })

  test('is in its own language for guests who want it, or none that there is', async () => {
    for (const page of [await cafe.page('?lang=en'), await cafe.page('?lang=ja'), await cafe.page()]) {
      expect(page).toContain('<html lang="en">')
      expect(page).toContain('<bdi>Coffee</bdi>')
      expect(page).not.toContain('Kaffee')
    }
    expect(await cafe.page()).toContain(`<link rel="canonical" href="https://menu.example/m/${cafe.id}">`)
  })

  test('follows the direction of the language, independent of the language of other texts', async () => {
    const page = await cafe.page('?lang=ar')
    expect(page).toContain('<html lang="ar" dir="rtl">')
    expect(page).toContain('<bdi>قهوة</bdi>')
    expect(page).toContain('<bdi lang="en">Tea</bdi>')
  })

  test('links to all its languages, and keeps the table and the filter', async () => {
    const { body: tag } = await cafe.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
    const page = await cafe.page(`?tag=${tag.id}&lang=de`)
    expect(page).toContain(
      `<details class="lang"><summary aria-label="Deutsch (de)">de</summary><ul><li><a href="?tag=${tag.id}&amp;lang=en" lang="en" hreflang="en">English</a></li><li><a href="?tag=${tag.id}&amp;lang=ar" lang="ar" hreflang="ar">العربية</a></li><li><a href="?tag=${tag.id}&amp;lang=de" lang="de" hreflang="de" aria-current="true">Deutsch</a></li></ul></details>`,
    )
    const single = await createVenue({ language: 'en' })
    expect((await send(`/m/${single.id}`)).body).not.toContain('class="lang"')
  })

  test('has its language in the data, which only `lang` chooses', async () => {
    expect(await cafe.data()).toMatchObject({
      language: 'en',
      languages: ['en', 'ar', 'de'],
      venue: { direction: 'ltr' },
    })
    const data = await cafe.data('?lang=de')
    expect(data).toMatchObject({ language: 'de', venue: { language: 'en', locale: 'de-GB' } })
    expect(data.menus[0]).toMatchObject({ title: 'Getränke', untranslated: ['description'] })
    expect(data.menus[0].sections[0]).toMatchObject({ title: 'Warmes' })
    expect(data.menus[0].sections[0].products[1]).toMatchObject({ title: 'Tee', untranslated: ['description'] })
    expect(data.menus[0].sections[1].untranslated).toEqual(['title'])
    expect(data.modifiers[0].options[1]).toMatchObject({ label: 'Cow', untranslated: ['label'] })
    expect((await cafe.data('?lang=ar')).venue.direction).toBe('rtl')
    const { body } = await send(`/m/${cafe.id}.json`, { headers: { 'accept-language': 'de' } })
    expect(body.language).toBe('en')
  })

  test('shows the titles on the sheet of allergens in the language of the guest', async () => {
    await cafe.post(`/products/${cafe.products[0]}/details`, { allergens: [] })
    const { body } = await send(`/m/${cafe.id}/allergens?lang=de`)
    expect(body).toContain('<th scope="row"><bdi>Kaffee</bdi> *<small>Auswahl: Milch</small></th>')
    expect((await send(`/m/${cafe.id}/allergens?lang=ar`)).body).toContain(
      '<th scope="row"><bdi lang="en">Tea</bdi></th>',
    )
  })

  test('leaves out what has damaged texts in this language only', async () => {
    const other = await createCafe()
    await env.DB.prepare(
      "update translations set texts = '{\"title\":1}' where merchant_id = ? and resource = 'products' and language = 'ar'",
    )
      .bind(other.id)
      .run()
    expect(await other.page('?lang=ar')).not.toContain('قهوة')
    expect(await other.page('?lang=de')).toContain('Kaffee')
  })

  test('of a venue whose language is not known is translated to the first language of a guest only', async () => {
    const other = await createCafe({})
    expect(await other.page('', { 'accept-language': 'de' })).toContain('<html lang="de">')
    expect(await other.page('', { 'accept-language': 'en,de;q=0.5' })).toContain('<bdi>Coffee</bdi>')
    expect(await other.page('', { 'accept-language': 'de' })).toContain('<bdi lang="">Hot</bdi>')
  })
})

describe('at the edge', () => {
  const worker = createTestWorker({ ALLOW_INSECURE_WEBHOOKS: undefined })
  afterEach(restoreTime)
  const { createVisitor, used } = createVisitors(worker, '203.0.115')
  const languageOf = ({ body }: { body: string }) => /<html lang="(\w+)"/.exec(body)?.[1]

  test('each language is read once, however guests ask for it', async () => {
    const venue = await createCafe()
    const { request } = createVisitor()
    worker.used()
    const headers = ['de', 'de-AT,de;q=0.9', 'fr,de;q=0.5', 'en', 'ja', 'ar-EG']
    const expected = ['de', 'de', 'de', 'en', 'en', 'ar']
    const visit = (n: number) => request(`/m/${venue.id}`, { 'accept-language': headers[n % headers.length] ?? '' })
    const first = await many(60, visit)
    expect(statusesOf(first)).toEqual([200])
    expect(first.map(languageOf)).toEqual(Array.from({ length: 60 }, (_, n) => expected[n % 6]))
    // One statement for all, and one for each further language.
    expect((await used()).trips).toBeLessThanOrEqual(3)
    expect((await many(60, visit)).map(languageOf)).toEqual(Array.from({ length: 60 }, (_, n) => expected[n % 6]))
    expect((await used()).trips).toBe(0)
  })

  test('the first guest causes one read, in any language', async () => {
    const venue = await createCafe()
    const { request } = createVisitor()
    worker.used()
    expect(languageOf(await request(`/m/${venue.id}`, { 'accept-language': 'de' }))).toBe('de')
    expect((await used()).trips).toBe(1)
  })
})
