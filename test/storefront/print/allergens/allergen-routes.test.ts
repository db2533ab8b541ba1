import { exports } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createKey, createVenue, origin } from '../../../support/api.ts'
import { load } from '../../../support/catalogue.ts'
import { readPdf, spell } from '../../../support/pdf.ts'
import { createTestWorker } from '../../../support/test-worker.ts'
import { createMenu, createProducts } from '../../menu/large-menus.ts'

async function createCafe(titles: readonly string[]) {
  const venue = await createVenue({ name: 'Café', language: 'de' })
  const products = titles.map((title) => ({ title, price: 5 }))
  const ids = await load(venue.post, {
    modifiers: [],
    products,
    menus: [{ title: 'All', sections: [{ title: 'Food', items: titles.map((_, index) => index) }] }],
  })
  const download = async (query = '') => {
    const response = await exports.default.fetch(new URL(`/m/${venue.id}/allergens.pdf${query}`, origin))
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  return { ...venue, ids, download }
}

const textsOf = async (bytes: Uint8Array<ArrayBuffer>) => (await readPdf(bytes)).texts.map(spell)
const circles = (page: string, operator: string) => page.match(new RegExp(` c ${operator}\\n`, 'g'))?.length ?? 0

test('the PDF has the marks of each product, and says what is not stated', async () => {
  const { post, ids, download } = await createCafe(['Cake', 'Salad', 'Soup'])
  await post(`/products/${ids[0]}/details`, {
    allergens: [
      { code: 'milk', level: 'contains' },
      { code: 'eggs', level: 'contains' },
      { code: 'nuts', level: 'may_contain' },
    ],
    translations: { en: { title: 'Cheesecake' } },
  })
  await post(`/products/${ids[1]}/details`, { allergens: [], diets: ['vegan'] })
  const { response, bytes } = await download('?lang=en')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'inline; filename="allergens.pdf"',
    'x-robots-tag': 'noindex',
    vary: 'Accept-Language',
  })
  const texts = await textsOf(bytes)
  expect(texts.slice(0, 5)).toEqual([
    'Café',
    'Allergen sheet',
    expect.stringMatching(/^As of /),
    'Contains',
    'May contain',
  ])
  expect(texts.slice(19)).toEqual(['Cheesecake', 'Salad', 'Soup', 'Allergens not stated', '1 / 1'])
  const [page = ''] = (await readPdf(bytes)).pages
  // The count includes the marks of the legend.
  expect([circles(page, 'f'), circles(page, 'S')]).toEqual([3, 2])

  expect(await textsOf((await download('?lang=de')).bytes)).toContain('Cake')
  const vegan = await textsOf((await download('?lang=en&diet=vegan')).bytes)
  expect(vegan.slice(19)).toEqual(['Salad', '1 / 1'])
})

test('long names are divided, and the table continues on further pages', async () => {
  const long = 'Slowly roasted pork with potato dumplings, red cabbage and a sauce of dark beer '.repeat(3).trim()
  const japanese = '料理の名前はとても長いので一行には入りません、そして空白もありません'
  const { download } = await createCafe([
    long,
    'Antidisestablishmentarianism'.repeat(4),
    'x\u{1e900}y',
    japanese,
    ...Array(80).fill('Soup'),
  ])
  const { bytes } = await download('?lang=en')
  const { pages } = await readPdf(bytes)
  expect(pages).toHaveLength(3)
  const texts = await textsOf(bytes)
  const [first = '', second = '', third = ''] = texts.slice(19)
  expect(`${long} `).toContain(`${first} ${second} `)
  expect(third.endsWith('…')).toBe(true)
  expect(texts).toContain('xy')
  const note = 'This PDF lacks letters for some text. The web page of this sheet prints all of it.'
  expect(texts.filter((text) => text === note)).toHaveLength(3)
  expect(texts.filter((text) => /[料ま]/.test(text)).join('')).toBe(japanese)
  expect(texts.filter((text) => text === 'Café')).toHaveLength(3)
  expect(texts.at(-1)).toBe('3 / 3')
})

test('the PDF of a tag in test mode says so at the top of each page', async () => {
  const { id, download } = await createCafe(['Soup'])
  const tests = await createKey(id, { mode: 'test' })
  const { body: tag } = await tests.post('/tags', { metadata: [] })
  const products = Array.from({ length: 50 }, (_, index) => ({ title: `Trial ${index}`, price: 5 }))
  const items = products.map((_, index) => index)
  await load(tests.post, { modifiers: [], products, menus: [{ title: 'All', sections: [{ title: 'Food', items }] }] })
  const texts = await textsOf((await download(`?lang=en&tag=${tag.id}`)).bytes)
  const note = 'Test mode: this is not the menu that guests see.'
  expect(texts.slice(0, 3)).toEqual([note, 'Café', 'Allergen sheet'])
  expect([texts.filter((text) => text === note).length, texts.at(-1)]).toEqual([2, '2 / 2'])
})

test('the PDF of a menu that lacks products says so behind the last one', async () => {
  const venue = await createVenue({ name: 'Café', language: 'de' })
  const ids = await createProducts(venue, 400, { description: 'x'.repeat(5_000) })
  await createMenu(venue, [ids])
  const response = await exports.default.fetch(new URL(`/m/${venue.id}/allergens.pdf`, origin))
  const texts = await textsOf(new Uint8Array(await response.arrayBuffer()))
  const note = 'Das ist nicht die ganze Karte. Bitte fragen Sie das Personal nach dem Rest.'
  expect(texts.slice(-3)).toEqual(['Allergene nicht angegeben', note, '9 / 9'])
  expect(texts.filter((text) => text === note)).toHaveLength(1)
})

test('the PDF of an unknown venue, or with an unknown diet, is a page that says so', async () => {
  const { download } = await createCafe(['Soup'])
  expect((await download('?diet=none')).response.status).toBe(422)
  const response = await exports.default.fetch(new URL(`/m/mer_${'0'.repeat(26)}/allergens.pdf`, origin))
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
})

test('the PDF is rendered once for all parameters that do not change it; filters and times count as misses', async () => {
  const { id } = await createCafe(['Soup'])
  let misses = 0
  const worker = createTestWorker({
    RATE_LIMITS: 'on',
    MISSES: { limit: async () => ({ success: ++misses <= 3 }) },
  })
  let renders = 0
  const Original = CompressionStream
  vi.stubGlobal(
    'CompressionStream',
    class extends Original {
      constructor(format: 'deflate') {
        super(format)
        renders++
      }
    },
  )
  const download = async (query: string) => {
    const before = renders
    const response = await worker.fetch(`/m/${id}/allergens.pdf${query}`, {
      headers: { 'cf-connecting-ip': '192.0.2.9' },
    })
    await worker.settle()
    return [response.status, renders > before]
  }
  try {
    expect(await download('?lang=en')).toEqual([200, true])
    // Now the languages of the venue are known, and the cache key names the shown one.
    expect((await download('?lang=en'))[0]).toBe(200)
    for (const query of ['&from=1', '&from=2', '&x=1', '&tag=unknown&y', '']) {
      expect(await download(`?lang=en${query}`)).toEqual([200, false])
    }
    misses = 0
    expect(await download('?lang=en&diet=vegan,halal')).toEqual([200, true])
    expect(await download('?lang=en&diet=halal,vegan,vegan')).toEqual([200, false])
    expect(await download('?lang=en&at=1700000000')).toEqual([200, true])
    expect(await download('?lang=en&without=milk')).toEqual([200, true])
    expect(await download('?lang=en&at=1700000001')).toEqual([429, false])
    expect(await download('?lang=en&without=eggs')).toEqual([429, false])
    expect(await download('?lang=en')).toEqual([200, false])
  } finally {
    vi.unstubAllGlobals()
  }
})
