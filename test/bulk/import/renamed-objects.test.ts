import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, jsonl, toJsonLines } from '../../support/imports.ts'

const nuts = [{ code: 'nuts', level: 'contains' }]
const plain = { 'content-type': 'text/plain' }

/** The notices of an import, and those of its rows. */
async function listNotices(venue: Venue, { id, notices }: { id: string; notices: object[] }) {
  const { body } = await venue.get(`/imports/${id}/errors?severity=notice`)
  return [
    notices,
    body.map(({ row, column, pointer, code }: Record<string, unknown>) => [row, column ?? pointer, code]),
  ]
}

async function createDish(venue: Venue, details: object) {
  const { body } = await venue.post('/products', { title: 'Oat bar', price: 2, sku: 'BAR' })
  await venue.post(`/products/${body.id}/details`, details)
  return body.id as string
}

const noticeOf = (resource: string) => ({ code: 'allergens_kept', resource, field: 'allergens', count: 1 })

describe('a product that gets another title, while its allergens stay', () => {
  test.each([
    ['allergens', { allergens: nuts }],
    ['no allergens', { allergens: [] }],
    ['diets', { diets: ['vegan'] }],
  ])('is named if it states %s', async (_, details) => {
    const venue = await createVenue()
    const id = await createDish(venue, details)
    const expected = [[noticeOf('products')], [[2, expect.stringMatching(/^title$/i), 'allergens_kept']]]
    const table = await check(venue, 'mapping=auto', 'SKU,Title,Price\nBAR,Nut bar,2\n', plain)
    expect([table.state, ...(await listNotices(venue, table))]).toMatchObject(['ready', ...expected])
    const strict = await check(venue, 'resource=products&match=id', `id,title\n${id},Nut bar\n`)
    expect(await listNotices(venue, strict)).toMatchObject(expected)
    const errors = (await venue.get(`/imports/${strict.id}/errors?severity=notice`)).body
    expect(errors[0].message).toContain('was "Oat bar"')
  })

  test.each([
    ['its title stays', 'Oat bar', {}, { allergens: nuts }],
    ['the row states allergens', 'Nut bar', { details: { allergens: nuts } }, { allergens: [] }],
    ['it states nothing', 'Nut bar', {}, { ageLimit: 18 }],
  ])('is not named if %s', async (_, title, more, details) => {
    const venue = await createVenue()
    const id = await createDish(venue, details)
    const line = { id, title, ...more }
    const found = await check(venue, 'resource=products&match=id', toJsonLines([line]), jsonl)
    expect([found.state, ...(await listNotices(venue, found))]).toEqual(['ready', [], []])
    const kept = await check(venue, 'resource=products&match=id&existing=keep', toJsonLines([line]), jsonl)
    expect((await listNotices(venue, kept))[1]).toEqual([])
  })
})

test('an option that gets another label, while its allergens stay, is named', async () => {
  const venue = await createVenue()
  const options = [
    { id: 'oat', label: 'Oat' },
    { id: 'soy', label: 'Soy' },
  ]
  const { body } = await venue.post('/modifiers', { title: 'Milk', instructions: '', options })
  await venue.post(`/modifiers/${body.id}/details`, { options: { oat: { allergens: [] } } })
  const renamed = [
    { id: 'oat', label: 'Almond' },
    { id: 'soy', label: 'Soya' },
  ]
  const line = { id: body.id, options: renamed }
  const read = (lines: object) => check(venue, 'resource=modifiers&match=id', toJsonLines([lines]), jsonl)
  expect(await listNotices(venue, await read(line))).toMatchObject([
    [noticeOf('modifiers')],
    [[1, '/options/0/label', 'allergens_kept']],
  ])
  const details = { options: { oat: { allergens: nuts } } }
  expect(await listNotices(venue, await read({ ...line, details }))).toEqual([[], []])
  expect(await listNotices(venue, await read({ id: body.id, options }))).toEqual([[], []])
})
