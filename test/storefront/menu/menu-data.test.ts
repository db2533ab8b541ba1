import { describe, expect, test } from 'vitest'
import { createKey, createVenue, send } from '../../support/api.ts'
import { at, createCafe, headings } from './cafe.ts'

describe('a tag', () => {
  test('determines the mode by its id or code, in any case', async () => {
    const cafe = await createCafe()
    const trial = await createKey(cafe.id, { mode: 'test' })
    await trial.post('/menus', { title: 'Trial menu' })
    const { id, alias } = (await trial.post('/tags', { metadata: [{ key: 'tableNumber', value: '7' }] })).body
    for (const name of [id, id.toUpperCase(), alias[0], alias[0].toLowerCase()]) {
      const { body, headers } = await send(`${cafe.page}?tag=${name}`)
      expect(headings(body)).toEqual(['1 Café', '2 Trial menu'])
      expect(body).toContain('<li><bdi>Table Number 7</bdi></li>')
      expect(body).toContain('Test mode')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect((await send(`${cafe.data}?tag=${name}`)).body).toMatchObject({
        testMode: true,
        tag: { id, label: 'Table Number 7' },
      })
    }
    const { body } = await send(cafe.page)
    expect(body).not.toContain('Trial menu')
    expect(body).not.toContain('Test mode')
  })

  test('that is unknown, foreign, deleted or invalid is ignored', async () => {
    const [cafe, other] = [await createCafe(), await createVenue({ mode: 'test' })]
    const foreign = (await other.post('/tags', { metadata: [{ key: 'table', value: 'foreign' }] })).body
    const gone = (await cafe.post('/tags', { metadata: [{ key: 'table', value: 'gone' }] })).body
    await cafe.remove(`/tags/${gone.id}`)
    const plain = (await send(cafe.data + at('10:00'))).body
    for (const name of [
      foreign.id,
      foreign.alias[0],
      gone.id,
      'tag_0',
      '',
      '%00',
      '<b>',
      "' or 1=1 --",
      'x'.repeat(5000),
    ]) {
      const path = `${at('10:00')}&tag=${name.startsWith('%') ? name : encodeURIComponent(name)}`
      expect((await send(cafe.data + path)).body).toEqual(plain)
      const { status, body } = await send(cafe.page + path)
      expect([status, body.includes('class="tag"')]).toEqual([200, false])
    }
  })
})

describe('the data of a menu', () => {
  test('has what the page shows', async () => {
    const cafe = await createCafe()
    const { status, body, headers } = await send(cafe.data + at('10:00'))
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({
      venue: {
        id: cafe.id,
        name: 'Café',
        timezone: 'Europe/Lisbon',
        currency: 'EUR',
        locale: 'pt-PT',
        direction: 'ltr',
      },
      testMode: false,
      availableAt: Date.parse('2026-11-21T10:00:00Z') / 1000,
      nextChangeAt: Date.parse('2026-11-21T11:30:00Z') / 1000,
      nextMenus: [],
      menus: [
        {
          title: 'All day',
          allDayMenu: true,
          sections: [
            {
              title: 'Drinks',
              products: [
                {
                  id: cafe.products[0],
                  title: 'Galão',
                  price: 2.4,
                  calories: 110,
                  soldOut: false,
                  images: [],
                  modifiers: [body.modifiers[0].id],
                },
              ],
            },
            { title: 'Food', products: [{ title: 'Last cake', soldOut: true }, { title: 'Toast' }] },
          ],
        },
        { title: 'Breakfast', begin: '0730', end: '1130' },
      ],
      modifiers: [{ title: 'Milk', options: [{ label: 'Whole' }, { label: 'Oat', additionalCost: 0.4 }, {}] }],
      truncated: false,
    })
    expect(body).not.toHaveProperty('tag')
    expect(body).not.toHaveProperty('nextFrom')
  })

  test('has the next menus if none is open', async () => {
    const venue = await createVenue({ timezone: 'America/New_York' })
    await venue.post('/menus', { title: 'Lunch', begin: '1200', end: '1400' })
    const { body } = await send(`/m/${venue.id}.json${at('12:00')}`)
    expect(body).toMatchObject({
      menus: [],
      nextMenus: ['Lunch'],
      nextChangeAt: Date.parse('2026-11-21T17:00:00Z') / 1000,
    })
  })
})
