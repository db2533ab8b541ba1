import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import {
  maxMenuBytes,
  maxModifierBytes,
  maxProductBytes,
} from '../../../src/storefront/menu/catalogue/catalogue-statements.ts'
import { catalogueMemory, catalogueMemoryBytes } from '../../../src/storefront/menu/isolate-cache.ts'
import { maxDataBytes, maxPageBytes } from '../../../src/storefront/menu/menu-part.ts'
import { createVenue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { count, createMenu, createModifiers, createProducts, readPages, request } from './large-menus.ts'

describe('a product with 50 modifiers of 250 options in 50 sections', () => {
  const create = async () => {
    const venue = await createVenue()
    const modifiers = await createModifiers(venue, 50, 250)
    const { body: product } = await venue.post('/products', { title: 'Pizza', price: 9, modifiers })
    await createMenu(
      venue,
      Array.from({ length: 50 }, () => [product.id]),
    )
    return { ...venue, modifiers, product }
  }

  test('describes each modifier once and links to it elsewhere', { timeout: 60_000 }, async () => {
    const { id, modifiers } = await create()
    const page = await request(`/m/${id}`)
    expect(page.bytes).toBeLessThanOrEqual(maxPageBytes)
    expect([count(page.text, 'class="dish"'), count(page.text, '<dd><bdi>'), count(page.text, '<dt id="c')]).toEqual([
      50, 12_500, 50,
    ])
    expect(count(page.text, /<dt><a href="#c\d+"><bdi>Choice \d+<\/bdi><\/a> <small>optional<\/small><\/dt>/)).toBe(
      49 * 50,
    )
    const targets = new Set(Array.from(page.text.matchAll(/<a href="#(c\d+)">/g), ([, target]) => target))
    for (const target of targets) expect(page.text).toContain(`id="${target}"`)

    const data = await request(`/m/${id}.json`)
    expect(data.bytes).toBeLessThanOrEqual(maxDataBytes)
    expect(data.body.modifiers.map((modifier: { id: string }) => modifier.id)).toEqual(modifiers)
    const [{ sections }] = data.body.menus
    expect(sections).toHaveLength(50)
    for (const { products } of sections) expect(products[0].modifiers).toEqual(modifiers)
    expect(data.body.truncated).toBe(false)
  })
})

describe('a menu that exceeds a page', () => {
  test('continues with a link, without omitting or repeating anything', { timeout: 60_000 }, async () => {
    const venue = await createVenue()
    const ids = await createProducts(venue, 3_250, { description: 'A dish from the fire, with potatoes.' })
    await createMenu(venue, [ids.slice(0, 2_000), [], ids.slice(2_000)])
    const pages = await readPages(`/m/${venue.id}?lang=de`)
    expect(pages.length).toBeGreaterThan(1)
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(maxPageBytes)
    // A page is used as far as it goes.
    for (const { bytes } of pages.slice(0, -1)) expect(bytes).toBeGreaterThan(maxPageBytes * 0.75)
    const titles = pages.flatMap(({ text }) =>
      Array.from(text.matchAll(/<li class="dish"><div><b><bdi>(.*?)<\/bdi>/g), ([, title]) => title),
    )
    expect([titles.length, new Set(titles).size]).toEqual([3_250, 3_250])
    for (const { text } of pages) {
      expect(count(text, 'Der Rest der Karte')).toBe(text === pages.at(-1)?.text ? 0 : 1)
      expect(JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '').hasMenu).toHaveLength(1)
      expect(count(text, 'nicht die ganze Karte')).toBe(0)
    }
    expect(pages[1]?.headers.get('x-robots-tag')).toBe('noindex')
    // All pages come of one read.
    expect(pages.slice(1).map(({ readBytes }) => readBytes)).toEqual(pages.slice(1).map(() => 2))

    const parts = await readPages(`/m/${venue.id}.json`)
    for (const { bytes, body } of parts) {
      expect(bytes).toBeLessThanOrEqual(maxDataBytes)
      expect(body.nextFrom === undefined).toBe(body === parts.at(-1)?.body)
    }
    const shown = parts.flatMap(({ body }) =>
      body.menus.flatMap(({ sections }: { sections: { products: { id: string }[] }[] }) =>
        sections.flatMap(({ products }) => products.map(({ id }) => id)),
      ),
    )
    expect(shown).toEqual(ids)
  })

  test("begins again if it became shorter than the link's position", async () => {
    const venue = await createVenue()
    const ids = await createProducts(venue, 2, {})
    await createMenu(venue, [ids])
    expect(count((await request(`/m/${venue.id}?from=999999`)).text, 'class="dish"')).toBe(2)
    const { body } = await request(`/m/${venue.id}.json?from=999999`)
    expect([body.menus, body.nextFrom]).toEqual([[], undefined])
    for (const from of ['', '-1', '1.5', 'x', '1000000']) {
      expect((await request(`/m/${venue.id}?from=${from}`)).status).toBe(422)
      const data = await request(`/m/${venue.id}.json?from=${from}`)
      expect([data.status, data.body.errors[0].parameter]).toEqual([422, 'from'])
    }
  })

  test('is limited after escaping', { timeout: 60_000 }, async () => {
    const venue = await createVenue({ name: '"'.repeat(255) })
    const ids = await createProducts(venue, 200, { description: '"<&\''.repeat(1_250) })
    await createMenu(venue, [ids.slice(0, 100), ids.slice(100)])
    const pages = await readPages(`/m/${venue.id}`)
    expect(pages.length).toBeGreaterThan(1)
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(maxPageBytes)
    expect(pages.reduce((sum, { text }) => sum + count(text, 'class="dish"'), 0)).toBe(200)
  })

  test('describes the modifiers that fit and names the others, if one product exceeds a page', {
    timeout: 60_000,
  }, async () => {
    const venue = await createVenue()
    const modifiers = await createModifiers(venue, 12, 250, '"'.repeat(180))
    const { body: product } = await venue.post('/products', { title: 'Pizza', price: 9, modifiers })
    await createMenu(venue, [[product.id]])
    const [page, ...others] = await readPages(`/m/${venue.id}`)
    expect(others.length).toBeLessThanOrEqual(1)
    const last = others.at(-1) ?? page
    expect(last?.bytes).toBeLessThanOrEqual(maxPageBytes)
    expect(last?.bytes).toBeGreaterThan(maxPageBytes / 2)
    expect(count(last?.text ?? '', /<dt[ >]/)).toBe(12)
    expect(count(last?.text ?? '', '<dt id=')).toBeLessThan(12)
    expect(last?.text).toContain('This is not the whole menu.')
  })
})

describe('a catalogue that exceeds its budget', () => {
  const sum = maxMenuBytes + maxProductBytes + maxModifierBytes

  test('is read up to the budget, and the page says so', {
    timeout: 60_000,
  }, async () => {
    const venue = await createVenue()
    const ids = await createProducts(venue, 600, { description: 'x'.repeat(5_000) })
    await createMenu(venue, [ids.slice(300).toReversed(), ids.slice(0, 300)])
    const { status, readBytes, text } = await request(`/m/${venue.id}`)
    expect(status).toBe(200)
    expect(readBytes).toBeLessThan(sum)
    expect(readBytes).toBeGreaterThan(maxProductBytes)
    const pages = [text, ...(await readPages(`/m/${venue.id}`)).slice(1).map((page) => page.text)]
    const shown = pages.reduce((sum, page) => sum + count(page, 'class="dish"'), 0)
    expect([shown > 200, shown < 600]).toEqual([true, true])
    // The first section comes first, though its products are the newest.
    expect(text.indexOf('>Dish<')).toBeGreaterThan(0)
    expect(text.indexOf('>Dish<')).toBeLessThan(
      text.indexOf('>Dish 599<') === -1 ? Infinity : text.indexOf('>Dish 599<'),
    )
    expect(pages.at(-1)).toContain('This is not the whole menu.')
    expect((await request(`/m/${venue.id}.json`)).body.truncated).toBe(true)

    const sheet = (await request(`/m/${venue.id}/allergens?lang=de`)).text
    expect(count(sheet, '<th scope="row">')).toBe(shown)
    expect(sheet.slice(sheet.indexOf('</table>'))).toMatch(
      /^<\/table><div class="about"><p>Das ist nicht die ganze Karte\./,
    )
  })

  test('says so on the sheet of allergens too if it lacks modifiers only', { timeout: 60_000 }, async () => {
    const venue = await createVenue()
    const modifiers = await createModifiers(venue, 40, 250, 'z'.repeat(180))
    const { body: product } = await venue.post('/products', { title: 'Pizza', price: 9, modifiers })
    await createMenu(venue, [[product.id]])
    expect((await request(`/m/${venue.id}.json`)).body.truncated).toBe(true)
    const sheet = (await request(`/m/${venue.id}/allergens`)).text
    // The product and the options that were read, in rows of the table.
    expect([count(sheet, '<th scope="row">'), count(sheet, 'not the whole menu')]).toEqual([6001, 1])
  })

  test('has 100 menus, and the page, the data and the sheet of allergens say that there are more', async () => {
    const venue = await createVenue()
    const { body: product } = await venue.post('/products', { title: 'Pizza', price: 9 })
    const { body: menu } = await venue.post('/menus', { title: 'All', sections: [{ title: 'F', items: [product.id] }] })
    const read = async () => {
      const [page, data] = [await request(`/m/${venue.id}`), await request(`/m/${venue.id}.json`)]
      const sheet = await request(`/m/${venue.id}/allergens`)
      const notes = [page, sheet].map(({ text }) => count(text, 'This is not the whole menu.'))
      return [data.body.menus.length, data.body.truncated, ...notes]
    }
    await multiply('menus', menu.id, 99)
    expect(await read()).toEqual([100, false, 0, 0])
    await venue.post('/menus', { title: 'More', sections: [{ title: 'F', items: [product.id] }] })
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    expect(await read()).toEqual([100, true, 1, 1])
    vi.restoreAllMocks()
  })

  test('is read up to exactly the budget', { timeout: 60_000 }, async () => {
    const venue = await createVenue()
    // 200 bytes for the row, 4 for the title, 2 for each of two empty lists.
    const rows = Math.floor(maxProductBytes / 4_096)
    const ids = await createProducts(venue, rows, { description: 'x'.repeat(4_096 - 208) })
    await env.DB.prepare("update products set title = 'Dish' where merchant_id = ?").bind(venue.id).run()
    await createMenu(venue, [ids])
    expect((await request(`/m/${venue.id}.json`)).body.truncated).toBe(maxProductBytes % 4_096 !== 0)
    const other = await createVenue()
    const more = await createProducts(other, rows, { description: 'x'.repeat(4_096 - 208) })
    await env.DB.prepare(
      "update products set title = case when id = ? then 'Dishy' else 'Dish' end where merchant_id = ?",
    )
      .bind(more[0], other.id)
      .run()
    await createMenu(other, [more])
    expect((await request(`/m/${other.id}.json`)).body.truncated).toBe(true)
  })

  test('of many menus and modifiers is read up to the budget', { timeout: 60_000 }, async () => {
    const venue = await createVenue()
    const { body: menu } = await venue.post('/menus', {
      title: 'All',
      sections: Array.from({ length: 10 }, () => ({ title: 'One', description: 'y'.repeat(5_000) })),
    })
    await multiply('menus', menu.id, 60)
    const { body: modifier } = await venue.post('/modifiers', {
      title: 'M',
      instructions: '',
      options: Array.from({ length: 250 }, () => ({ label: 'z'.repeat(200) })),
    })
    await multiply('modifiers', modifier.id, 60)
    const { body: product } = await venue.post('/products', { title: 'Dish', price: 1 })
    await env.DB.prepare(
      'insert into product_modifiers (owner, target) select p.seq, m.seq from products p cross join modifiers m where p.id = ? and m.merchant_id = ?',
    )
      .bind(product.id, venue.id)
      .run()
    await createMenu(venue, [[product.id]])
    const { status, readBytes, bytes } = await request(`/m/${venue.id}`)
    expect(status).toBe(200)
    expect(readBytes).toBeLessThan(sum)
    expect(readBytes).toBeGreaterThan(maxModifierBytes)
    expect(bytes).toBeLessThanOrEqual(maxPageBytes)
  })

  test('fits the memory budget of the isolate', () => {
    expect(catalogueMemory()).toBeGreaterThan(0)
    expect(catalogueMemory()).toBeLessThanOrEqual(catalogueMemoryBytes)
  })
})
