import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, send, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'

const start = Math.floor(Date.now() / 1000) - 20 * 86_400
const setTime = (second: number) => vi.useFakeTimers({ toFake: ['Date'], now: second * 1000 + 300 })
afterEach(() => vi.useRealTimers())

/** A generator of numbers below 1 that is the same in every run. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

const authorization = (venue: Venue) => ({ headers: { authorization: `Bearer ${venue.key}` } })
const readPast = (venue: Venue, at: number | string, path = '.json', more = '') =>
  send(`/m/${venue.id}${path}?at=${at}${more}`, authorization(venue))
/** The menu that guests see now, for a time and in a language. */
const readShown = (venue: Venue, at: number, lang: string) => send(`/m/${venue.id}.json?at=${at}&lang=${lang}`)

/** A menu without the ends of marks as sold out, which are not known later. */
const withoutEnds = (menu: unknown) =>
  JSON.parse(JSON.stringify(menu, (key, value) => (key === 'soldOutUntil' ? undefined : value)))

/** Makes a random change of a catalogue. */
function createChanges(venue: Venue, random: () => number) {
  const ids = { products: new Set<string>(), modifiers: new Set<string>(), menus: new Set<string>() }
  const gone: [path: keyof typeof ids, id: string][] = []
  const pick = <Item>(list: Iterable<Item>) => {
    const all = [...list]
    return all[Math.floor(random() * all.length)]
  }
  const chance = (share: number) => random() < share
  const some = (list: Iterable<string>) => [...list].filter(() => chance(0.6))
  const option = (step: number) => ({ id: `o${step % 3}`, label: `Option ${step}`, additionalCost: 1 })
  const create = {
    products: (step: number) => ({
      title: `Dish ${step}`,
      price: step,
      modifiers: some(ids.modifiers),
      ...(chance(0.5) && { manageStock: true, stockQuantity: chance(0.5) ? 0 : 3 }),
    }),
    modifiers: (step: number) => ({
      title: `Extras ${step}`,
      instructions: 'Choose',
      type: 'CHECKBOX',
      options: [option(0), option(1), option(step)].filter(
        ({ id }, index, all) => all.findIndex((one) => one.id === id) === index,
      ),
    }),
    menus: (step: number) => ({
      title: `Menu ${step}`,
      allDayMenu: true,
      sections: [{ title: 'All', items: some(ids.products) }],
    }),
  }
  const details = (path: keyof typeof ids, step: number) => ({
    ...(path === 'products' && { ageLimit: chance(0.3) ? null : 16 + (step % 3) }),
    translations: { de: chance(0.3) ? null : { title: `Gericht ${step}` } },
  })
  return async (step: number) => {
    const path = pick(['products', 'products', 'products', 'modifiers', 'menus'] as const) ?? 'products'
    const id = pick(ids[path])
    const kind = random()
    const back = pick(gone)
    if (back && kind < 0.08) {
      const [of, one] = back
      gone.splice(gone.indexOf(back), 1)
      ids[of].add(one)
      return venue.post(`/${of}/${one}/restore`, {})
    }
    if (id === undefined || (kind < 0.25 && ids[path].size < 6)) {
      const created = await venue.post(`/${path}`, create[path](step))
      ids[path].add(created.body.id)
      return created
    }
    if (kind < 0.35) {
      ids[path].delete(id)
      gone.push([path, id])
      return venue.remove(`/${path}/${id}`)
    }
    if (kind < 0.5) return venue.post(`/${path}/${id}/details`, details(path, step))
    if (kind < 0.75 && path === 'products') {
      return chance(0.5)
        ? venue.post(
            `/products/${id}/availability`,
            chance(0.4) ? { soldOut: false } : { soldOut: true, ...(chance(0.3) && { until: start + 40 * 86_400 }) },
          )
        : venue.post('/stock', {
            reference: `s${step}`,
            reason: 'count',
            changes: [{ product: id, set: chance(0.5) ? 0 : 3 }],
          })
    }
    if (kind < 0.75 && path === 'modifiers') {
      return venue.post(`/modifiers/${id}/availability`, { options: { o0: { soldOut: chance(0.6) } } })
    }
    return venue.post(`/${path}/${id}`, create[path](step))
  }
}

describe.each(['d1', 'object'] as const)('the menu as it was, in a home of the kind %s', (home) => {
  test('equals at each second what guests saw', async () => {
    const venue = await createVenue({ home, language: 'en' })
    const random = createRandom(home === 'd1' ? 11 : 12)
    const change = createChanges(venue, random)
    const steps = 60
    const seen: object[] = []
    for (let step = 0; step < steps; step++) {
      setTime(start + step)
      const { status, body } = await change(step)
      const code = body.errors?.[0].code
      expect([step, code, status < 300 || code === 'stock_not_managed']).toEqual([step, code, true])
      seen.push((await readShown(venue, start + step, step % 2 ? 'de' : 'en')).body)
    }
    setTime(start + steps)
    for (let step = 0; step < steps; step++) {
      const at = start + step
      const { status, body } = await readPast(venue, at, '.json', `&lang=${step % 2 ? 'de' : 'en'}`)
      const { past, ...shown } = body
      expect([step, status, past]).toEqual([step, 200, { at, present: ['venue', 'service', 'charges'] }])
      expect([step, withoutEnds(shown)]).toEqual([step, withoutEnds(seen[step])])
    }
  }, 120_000)

  test('is shown as page, data and allergens to the holder of a key, and never cached', async () => {
    const venue = await createVenue({ home })
    setTime(start)
    const soup = (await venue.post('/products', { title: 'Soup', price: 5 })).body.id
    await venue.post(`/products/${soup}/details`, { allergens: [{ code: 'milk', level: 'contains' }] })
    await venue.post('/menus', { title: 'All day', allDayMenu: true, sections: [{ title: 'All', items: [soup] }] })
    setTime(start + 10)
    await venue.post(`/products/${soup}`, { title: 'Stew', price: 6 })
    await venue.post(`/products/${soup}/details`, { allergens: [{ code: 'fish', level: 'contains' }] })
    setTime(start + 20)
    for (const path of ['', '.json', '/allergens']) {
      const [then, now] = [await readPast(venue, start + 5, path), await readPast(venue, start + 15, path)]
      expect([path, then.status, now.status]).toEqual([path, 200, 200])
      expect(then.headers.get('cache-control')).toBe('no-store')
      expect(then.headers.get('x-robots-tag')).toBe('noindex')
      const [before, after] = [then, now].map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body)))
      expect([path, before?.includes('Soup'), before?.includes('Stew')]).toEqual([path, true, false])
      expect([path, after?.includes('Soup'), after?.includes('Stew')]).toEqual([path, false, true])
      // Guests see what is stored, at another time.
      const guest = await send(`/m/${venue.id}${path}?at=${start + 5}`)
      expect(JSON.stringify(guest.body)).toContain('Stew')
    }
    expect((await readPast(venue, start + 5)).body.menus[0].sections[0].products[0]).toMatchObject({
      price: 5,
      allergens: [{ code: 'milk', level: 'contains' }],
    })
    expect((await readPast(venue, start + 5, '')).body).toContain('<aside class="test">Preview · ')
    const pdf = await send(`/m/${venue.id}/allergens.pdf?at=${start + 5}`, authorization(venue))
    expect([pdf.status, pdf.headers.get('cache-control')]).toEqual([200, 'no-store'])
    // Before the venue had anything.
    expect((await readPast(venue, start - 1)).body).toMatchObject({ menus: [], closedMenus: [] })
    expect((await readPast(venue, new Date((start + 5) * 1000).toISOString())).body.past.at).toBe(start + 5)
  })

  test('requires a key of the merchant with the scopes, and a time that events tell about', async () => {
    const venue = await createVenue({ home })
    setTime(start)
    await venue.post('/menus', { title: 'All day', allDayMenu: true, sections: [{ title: 'All', items: [] }] })
    setTime(start + 10)
    for (const path of ['', '.json', '/allergens', '/allergens.pdf']) {
      const status = async (by: Pick<Venue, 'key'>, at: number) =>
        (await send(`/m/${venue.id}${path}?at=${at}`, { headers: { authorization: `Bearer ${by.key}` } })).status
      expect(await status(venue, start + 5)).toBe(200)
      expect(await status(venue, start + 60)).toBe(422)
      expect(await status(venue, start - 31 * 86_400)).toBe(410)
      expect(await status({ key: 'sk_none' }, start + 5)).toBe(401)
      expect(await status(await createVenue({ home }), start + 5)).toBe(403)
      const waiter = await createKey(venue.id, { mode: 'live', scopes: ['menus:read', 'products:read'] })
      expect(await status(waiter, start + 5)).toBe(403)
      const testing = await createKey(venue.id, { mode: 'test' })
      expect(await status(testing, start + 5)).toBe(200)
      // Without a time, or without a key, everybody is a guest.
      expect((await send(`/m/${venue.id}${path}`, { headers: { authorization: 'Bearer sk_none' } })).status).toBe(200)
      expect((await send(`/m/${venue.id}${path}?at=${start + 60}`)).status).toBe(200)
    }
  })

  test('is read back through at most 5,000 changes', async () => {
    const venue = await createVenue({ home })
    setTime(start)
    const { id } = (await venue.post('/products', { title: 'Soup', price: 5 })).body
    await venue.post('/menus', { title: 'All day', allDayMenu: true, sections: [{ title: 'All', items: [id] }] })
    setTime(start + 10)
    await venue.post(`/products/${id}`, { price: 6 })
    setTime(start + 20)
    const columns = 'merchant_id, test_mode, type, version, at, row, previous, object'
    const repeat = (count: number) =>
      queryHome(
        venue.id,
        `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?)
        insert into events (id, seq, ${columns})
        select substr(one.id, 1, 14) || lower(substr(hex(randomblob(8)), 1, 16)), (select max(seq) from events where merchant_id = one.merchant_id) + n,
          ${columns.replaceAll(/\w+/g, 'one.$&')}
        from counter cross join (select * from events where merchant_id = ? and object = ? order by seq desc limit 1) as one`,
        count,
        venue.id,
        id,
      )
    await repeat(4_999)
    expect((await readPast(venue, start + 5)).body.menus[0].sections[0].products[0].price).toBe(5)
    await repeat(1)
    const late = await readPast(venue, start + 5)
    expect([late.status, late.body.errors[0]]).toMatchObject([422, { parameter: 'at', code: 'too_many' }])
    expect((await readPast(venue, start + 15)).status).toBe(200)
    await queryHome(venue.id, 'update events set object = null where merchant_id = ? and seq = 3', venue.id)
    expect((await readPast(venue, start + 5)).status).toBe(422)
    await queryHome(venue.id, 'delete from events where merchant_id = ? and seq > 3', venue.id)
    expect((await readPast(venue, start + 5)).status).toBe(410)
  })
})

test('the menu as it was takes at most three round trips', async () => {
  const venue = await createVenue()
  setTime(start)
  const parts = (await venue.post('/products', { title: 'Tea', price: 1 })).body.id
  const lunch = (await venue.post('/products', { title: 'Lunch', price: 9 })).body.id
  await venue.post(`/products/${lunch}/details`, {
    bundle: { groups: [{ id: 'drink', title: 'Drink', min: 1, max: 1, items: [{ product: parts }] }] },
  })
  await venue.post('/menus', { title: 'All day', allDayMenu: true, sections: [{ title: 'All', items: [lunch] }] })
  setTime(start + 10)
  await venue.post(`/products/${lunch}`, { price: 10 })
  await venue.get('/products')
  const read = await observe('GET', `/m/${venue.id}.json?at=${start + 5}`, { key: venue.key })
  expect([read.status, read.trips.length, read.body.parts.length]).toEqual([200, 3, 1])
})
