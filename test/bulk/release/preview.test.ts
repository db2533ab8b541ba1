import { afterEach, describe, expect, test, vi } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { autumn, createFilled } from './filled-release.ts'
import { link, readData } from './preview-links.ts'

afterEach(() => vi.useRealTimers())

/** The data of a menu without its time, and without ids of sections, which are generated when a menu is stored. */
const toShown = ({ body }: Awaited<ReturnType<typeof send>>) => {
  const { availableAt: _, ...shown } = body
  return JSON.parse(JSON.stringify(shown).replaceAll(/sec_[0-9a-z]{26}/g, 'sec'))
}

describe.each(['d1', 'object'] as const)('a preview of a release at home in %s', (home) => {
  test('shows what publishing it shows: page, data, allergens and quotes', async () => {
    const { venue, soup, milk, menu, coupon } = await createFilled(home)
    const created = await venue.post('/releases', { title: 'Autumn', operations: autumn(soup, milk, menu, coupon) })
    expect([created.status, created.body.errors]).toEqual([201, undefined])
    const { id, operations } = created.body
    const pie = operations[0].id
    const guests = `/m/${venue.id}.json?lang=de`
    const before = toShown(await send(guests))
    const url = await link(venue, id)
    const shown = await readData(new URL(`${url}&lang=de`))
    expect([shown.status, shown.headers.get('cache-control'), shown.headers.get('x-robots-tag')]).toEqual([
      200,
      'no-store',
      'noindex',
    ])
    expect(JSON.stringify(shown.body)).toContain('Kuchen')
    const page = await send(`${url.pathname}${url.search}`)
    expect([page.status, page.headers.get('cache-control'), page.headers.get('x-robots-tag')]).toEqual([
      200,
      'no-store',
      'noindex',
    ])
    expect(page.body).toContain('<aside class="test">Preview</aside>')
    const sheet = await send(`${url.pathname}/allergens${url.search}`)
    expect([sheet.status, sheet.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(sheet.body).toContain('Pie')
    const order = {
      items: [
        { product: pie, quantity: 2, options: [{ modifier: operations[1].id, option: 'mild' }] },
        { product: soup, quantity: 1 },
      ],
      menu,
    }
    const quote = await venue.post('/quotes', { ...order, release: id })
    expect(quote.status).toBe(200)
    // Guests and other quotes see nothing of it.
    expect(toShown(await send(guests))).toEqual(before)
    expect((await venue.post('/quotes', order)).body.issues).not.toEqual([])
    expect((await venue.get(`/releases/${id}`)).body.version).toBe(1)
    expect((await venue.post(`/releases/${id}/publish`, {})).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect(toShown(await send(guests))).toEqual(toShown(shown))
    const after = await venue.post('/quotes', order)
    expect({ ...after.body, at: undefined }).toEqual({ ...quote.body, at: undefined })
  })

  test('leaves out what it deletes, wherever it is named', async () => {
    const { venue, soup, milk, menu } = await createFilled(home)
    await venue.post(`/products/${soup}`, { modifiers: [milk] })
    const tea = (await venue.post('/products', { title: 'Tea', price: 2 })).body.id
    await venue.post(`/menus/${menu}`, { sections: [{ title: 'All', items: [soup, tea] }] })
    const { id } = (
      await venue.post('/releases', {
        title: 'Less',
        operations: [
          { op: 'delete', resource: 'modifiers', id: milk },
          { op: 'delete', resource: 'products', id: tea },
        ],
      })
    ).body
    const shown = await readData(await link(venue, id))
    const quote = await venue.post('/quotes', { items: [{ product: soup, quantity: 1 }], release: id })
    expect((await venue.post(`/releases/${id}/publish`, {})).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    const published = await send(`/m/${venue.id}.json`)
    expect(toShown(published)).toEqual(toShown(shown))
    expect(JSON.stringify(shown.body)).not.toContain('lacksChoices')
    const after = await venue.post('/quotes', { items: [{ product: soup, quantity: 1 }] })
    expect({ ...after.body, at: undefined }).toEqual({ ...quote.body, at: undefined })
  })

  test('shows the draft as it is now, without operations that cannot be published', async () => {
    const { venue, soup, menu } = await createFilled(home)
    const { id } = (
      await venue.post('/releases', {
        title: 'R',
        operations: [{ op: 'update', resource: 'products', id: soup, body: { title: 'Stew' } }],
      })
    ).body
    const url = await link(venue, id, { hours: 1, at: 1_900_000_000 })
    const titles = async () => {
      const { menus } = (await readData(url)).body
      return menus.flatMap(({ sections }: { sections: { products: { title: string }[] }[] }) =>
        sections.flatMap(({ products }) => products.map(({ title }) => title)),
      )
    }
    expect(await titles()).toEqual(['Stew'])
    expect((await readData(url)).body.availableAt).toBe(1_900_000_000)
    await venue.post(`/releases/${id}/operations`, {
      operations: [{ op: 'update', resource: 'products', id: soup, body: { title: 'Broth' } }],
    })
    expect(await titles()).toEqual(['Broth'])
    const tea = (await venue.post('/products', { title: 'Tea', price: 2 })).body.id
    await venue.post(`/releases/${id}/operations`, {
      operations: [{ op: 'update', resource: 'products', id: tea, body: { title: 'Green tea' } }],
    })
    await venue.post(`/menus/${menu}`, { sections: [{ title: 'All', items: [soup] }] })
    await venue.remove(`/products/${tea}`)
    expect(await titles()).toEqual(['Broth'])
  })

  test('is shown to the holder of the address only, as long as it is valid and the release is open', async () => {
    const { venue, soup } = await createFilled(home)
    const other = await createVenue({ home })
    const operations = [{ op: 'update', resource: 'products', id: soup, body: { title: 'Secret stew' } }]
    const create = async () => (await venue.post('/releases', { title: 'R', operations })).body.id
    const [id, published, cancelled] = [await create(), await create(), await create()]
    const url = await link(venue, id, { hours: 2 })
    const value = url.searchParams.get('release') ?? ''
    expect(JSON.stringify((await readData(url)).body)).toContain('Secret stew')
    const hidden = async (path: string) => {
      for (const form of ['', '.json', '/allergens', '/allergens.pdf']) {
        const answer = await send(path.replace('?', `${form}?`))
        expect([path, form, answer.status]).toEqual([path, form, 404])
        expect([answer.headers.get('cache-control'), answer.headers.get('x-robots-tag')]).toEqual([
          'no-store',
          'noindex',
        ])
        expect(JSON.stringify(answer.body)).not.toContain('Secret')
      }
    }
    for (const changed of [
      value.replace(id, published),
      value.replace('live', 'test'),
      value.replace('..', '.1900000000.'),
      '',
      'x',
    ])
      await hidden(`/m/${venue.id}?release=${changed}`)
    await hidden(`/m/${other.id}?release=${value}`)
    const [ofPublished, ofCancelled] = [await link(venue, published), await link(venue, cancelled)]
    await venue.post(`/releases/${cancelled}/cancel`, {})
    await hidden(`${ofCancelled.pathname}${ofCancelled.search}`)
    await venue.post(`/releases/${published}/publish`, {})
    await hidden(`${ofPublished.pathname}${ofPublished.search}`)
    expect((await venue.post(`/releases/${published}/preview-link`, {})).status).toBe(409)
    expect((await venue.post('/quotes', { items: [{ product: soup, quantity: 1 }], release: published })).status).toBe(
      404,
    )
    // Guests without the address get what is stored, before and after.
    expect(JSON.stringify((await send(`/m/${other.id}.json`)).body)).not.toContain('Secret')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
    await hidden(`${url.pathname}${url.search}`)
  })
})
