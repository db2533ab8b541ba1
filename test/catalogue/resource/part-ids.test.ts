import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'

const venue = await createVenue()
const named = {
  product: (await venue.post('/products', { title: 'Tea', price: 4.5 })).body.id,
  modifier: (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id,
}
const create = async (collection: string, body: object) => (await venue.post(`/${collection}`, body)).body

describe('the id of a section', () => {
  test('stays with its section in every edit', async () => {
    const { id, sections } = await create('menus', {
      title: 'a',
      sections: [{ title: 'A' }, { title: 'B' }, { title: 'C' }],
    })
    const [a, b, c] = sections
    const moved = [c, { ...a, title: 'A2', items: [named.product] }, { title: 'New' }, b]
    const { body } = await venue.post(`/menus/${id}`, { sections: moved })
    const made = body.sections[2].id
    expect(body.sections).toEqual([
      c,
      { ...a, title: 'A2', items: [named.product] },
      { ...a, id: made, title: 'New' },
      b,
    ])
    expect([a.id, b.id, c.id]).not.toContain(made)
    expect((await venue.post(`/menus/${id}`, { title: 'b' })).body.sections).toEqual(body.sections)
  })

  test('is rejected if it is unknown, of another menu or of an earlier state', async () => {
    const [mine, other] = [
      await create('menus', { title: 'a', sections: [{}, {}] }),
      await create('menus', { title: 'a', sections: [{}] }),
    ]
    const [kept, gone] = mine.sections
    await venue.post(`/menus/${mine.id}`, { sections: [kept] })
    const sections = [kept, gone, other.sections[0], { id: 'sec_1' }]
    expect(toIssues(await venue.post(`/menus/${mine.id}`, { sections }))).toEqual(
      [1, 2, 3].map((index) => `/sections/${index}/id read_only_field`),
    )
    expect(toIssues(await venue.post(`/menus/${mine.id}`, { sections: [kept, kept] }))).toEqual([
      '/sections/1/id duplicate',
    ])
    expect((await venue.get(`/menus/${mine.id}`)).body.sections).toEqual([kept])
  })
})
