import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { maxDataBytes, maxPageBytes } from '../../../src/storefront/menu/menu-part.ts'
import demo from '../../../tools/cli/demo/demo-venue.json'
import { createVenue, send } from '../../support/api.ts'
import { createCatalogue, load } from '../../support/catalogue.ts'
import { bytesOf, count, createMenu, createProducts, readPages, worker } from './large-menus.ts'

const zip = async (text: string) =>
  (await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()).byteLength

const contains = (...codes: string[]) => codes.map((code) => ({ code, level: 'contains' }))
const stated = [contains('milk'), [], contains('gluten', 'eggs'), contains('nuts'), contains('celery', 'mustard')]
const sizes = ['S', 'M', 'L']

test('a menu of 60 dishes with sizes and three stated modifiers has at most 14 KB', async () => {
  const venue = await createVenue()
  const { modifiers, products, menus } = createCatalogue(60)
  const options = sizes.map((label) => ({ id: label, label }))
  const catalogue = {
    modifiers: [
      ...modifiers.map((modifier) => ({
        ...modifier,
        options: modifier.options.map((option, index) => ({ ...option, id: `o${index}` })),
      })),
      { title: 'Portion', type: 'RADIO', options },
    ],
    products: products.map((product, index) => ({
      ...product,
      modifiers: [6, index % 6, (index + 2) % 6, (index + 3) % 6],
    })),
    menus,
  }
  const ids = await load(venue.post, catalogue)
  const { body: stored } = await venue.get('/modifiers?limit=100')
  for (const { id, title } of stored) {
    if (title === 'Portion') continue
    const body = { options: Object.fromEntries(stated.map((allergens, index) => [`o${index}`, { allergens }])) }
    expect((await venue.post(`/modifiers/${id}/details`, body)).status).toBe(200)
  }
  const portion = stored.find(({ title }: { title: string }) => title === 'Portion').id
  for (const [index, id] of ids.entries()) {
    const price = Number(products[index]?.['price'])
    const prices = Object.fromEntries(sizes.map((label, step) => [label, { price: price + step * 1.5 }]))
    const body = { allergens: stated[index % 5], sizes: { modifier: portion, prices, sameContents: true } }
    expect((await venue.post(`/products/${id}/details`, body)).status).toBe(200)
  }
  const { body } = await send(`/m/${venue.id}`)
  expect([count(body, 'class="dish"'), count(body, ' · <span>')]).toEqual([60, 120])
  const bytes = await zip(body)
  console.log(`figure: a menu of 60 dishes with sizes and stated choices, ${bytes} bytes compressed`)
  expect(bytes).toBeLessThanOrEqual(14 * 1024)
})

/** Gives all products of a venue the same details. */
const setAll = (merchantId: string, details: object) =>
  env.DB.prepare(
    `insert into details (merchant_id, test_mode, resource, object, data, version)
     select merchant_id, test_mode, 'products', seq, ?, 1 from products where merchant_id = ?
     on conflict do update set data = excluded.data`,
  )
    .bind(JSON.stringify(details), merchantId)
    .run()

/** The page without its script, which has a limit of its own. */
const withoutScript = (page: string) => page.replace(/<script>.*?<\/script>/s, '')
/**
 * Bytes of the fonts and the design, with the grid of menus that are served later, headings that shrink with large text, room that screens of
 * phones cover, links of long menus and calls on narrow screens, and filters that fingers reach.
 */
const lookBytes = 935

/** Bytes of the demo menu before dishes had sizes, stated choices and parts, compressed, without pictures. */
const demoBytes = 10_270

test('the menu of a venue that uses none of it grew by at most 1.2 KB', async () => {
  const { name, currency, timezone, language } = demo.merchant
  const venue = await createVenue({ name, currency, timezone, language })
  // Later products of the demo venue show what dishes can say.
  const count = 48
  await load(venue.post, {
    modifiers: demo.modifiers.slice(0, 11).map((modifier) => ({
      ...modifier,
      options: modifier.options.map(({ id: _, ...option }: { id?: string }) => option),
    })),
    products: demo.products.slice(0, count).map(({ images: _, ...product }) => product),
    menus: demo.menus.map(({ branding: _, sections, ...menu }) => ({
      ...menu,
      sections: sections.map(({ items, ...section }) => ({ ...section, items: items.filter((item) => item < count) })),
    })),
  })
  const { body } = await send(`/m/${venue.id}?at=2026-11-21T10:00:00Z&lang=en`)
  const bytes = await zip(withoutScript(body))
  console.log(`figure: the demo menu without new data, ${bytes} bytes compressed, ${demoBytes} before`)
  expect(bytes).toBeLessThanOrEqual(demoBytes + lookBytes + 1.2 * 1024)
})

describe('a menu of 1,000 dishes with everything set', () => {
  test('stays within the limits of pages and data, complete, in two round trips', { timeout: 120_000 }, async () => {
    const venue = await createVenue({ language: 'en', home: 'd1' })
    const create = async (title: string, more: object = {}) => {
      const options = sizes.map((label) => ({ id: label, label, additionalCost: 0.5 }))
      const { body } = await venue.post('/modifiers', { title, instructions: 'As you like.', options, ...more })
      return String(body.id)
    }
    const [portion, milk, foam, extra] = [
      await create('Portion', { type: 'RADIO' }),
      await create('Milk', { type: 'RADIO', rules: { required: true } }),
      await create('Foam'),
      await create('Extra', { rules: { enableOptionQuantity: true } }),
    ]
    const contents = {
      allergens: contains('milk', 'nuts'),
      diets: ['gluten_free'],
      additives: ['caffeine', 'coloring'],
    }
    const each = (value: object) => Object.fromEntries(sizes.map((label) => [label, value]))
    const set = async (modifier: string, body: object) =>
      expect((await venue.post(`/modifiers/${modifier}/details`, body)).status).toBe(200)
    await set(milk, {
      options: each({ ...contents, max: 3, modifiers: [foam] }),
      sizedCosts: each({ S: 0.3, M: 0.4, L: 0.5 }),
    })
    await set(foam, { options: each(contents), pricing: 'highest' })
    await set(extra, { options: each(contents), min: 1, max: 3 })
    await set(portion, { options: each({ allergens: [] }) })
    const ids = await createProducts(venue, 1_000, { description: 'x'.repeat(120), modifiers: [portion, milk, extra] })
    await env.DB.prepare(
      `insert or ignore into product_modifiers (owner, target)
       select p.seq, m.seq from products p cross join modifiers m where p.merchant_id = ?1 and m.merchant_id = ?1`,
    )
      .bind(venue.id)
      .run()
    await setAll(venue.id, {
      ...{ ...contents, ageLimit: 18, alcoholByVolume: 4.5, labels: ['house'] },
      sizes: {
        modifier: portion,
        prices: Object.fromEntries(
          sizes.map((label, step) => [label, { price: 3 + step, calories: 100 * step, sku: `A-${label}` }]),
        ),
      },
      modifierRules: [
        { modifier: milk, min: 0, title: 'A splash?' },
        { modifier: extra, max: 2 },
      ],
      nutrition: { basis: '100g', energyKcal: 250, fat: 1, salt: 0.3 },
    })
    await createMenu(venue, [ids.slice(0, 500), ids.slice(500)])
    worker.used()
    expect((await worker.fetch(`/m/${venue.id}`)).status).toBe(200)
    await worker.settle()
    // One for the catalogue, one for modifiers of options that no product has.
    expect(worker.used().trips).toBeLessThanOrEqual(2)
    const pages = await readPages(`/m/${venue.id}`)
    const [first] = pages
    expect(pages.map(({ bytes }) => bytes <= maxPageBytes)).toEqual(pages.map(() => true))
    expect(pages.reduce((sum, { text }) => sum + count(text, 'class="dish"'), 0)).toBe(1_000)
    const zipped = await Promise.all(pages.map(({ text }) => zip(text)))
    const sum = zipped.reduce((all, bytes) => all + bytes, 0)
    console.log(
      `figure: a menu of 1,000 dishes with everything, ${bytesOf(first?.text ?? '')} bytes, ${sum} compressed, ${pages.length} pages`,
    )
    expect(sum).toBeLessThanOrEqual(40 * 1024)
    const data = await readPages(`/m/${venue.id}.json`)
    expect(data.map(({ bytes, body }) => [bytes <= maxDataBytes, body.truncated])).toEqual(
      data.map(() => [true, false]),
    )
    const shown = data.flatMap(({ body }) =>
      body.menus.flatMap((menu: Menu) => menu.sections.flatMap(({ products }) => products)),
    )
    expect(new Set(shown.map(({ id, sizes: own }) => `${id} ${own.length}`)).size).toBe(1_000)
  })
})
interface Menu {
  sections: { products: { id: string; sizes: unknown[] }[] }[]
}
