import { describe, expect, test } from 'vitest'
import { createFilled } from './filled-release.ts'
import { link, readData } from './preview-links.ts'

describe.each(['d1', 'object'] as const)('a release that deletes what its other operations name, in %s', (home) => {
  async function createDraft() {
    const filled = await createFilled(home)
    const { venue, soup, menu } = filled
    const { id: tea } = (await venue.post('/products', { title: 'Tea', price: 3 })).body
    const lists = { sections: [{ title: 'Winter', items: [soup, tea] }] }
    await venue.post(`/menus/${menu}`, { sections: [{ title: 'All', items: [soup, tea] }] })
    const rewrite = { op: 'update', resource: 'menus', id: menu, body: lists }
    const remove = { op: 'delete', resource: 'products', id: soup }
    return { ...filled, tea, rewrite, remove }
  }

  test.each(['first', 'last'])('removes it from them, deleted %s', async (when) => {
    const { venue, soup, tea, menu, rewrite, remove } = await createDraft()
    const added = { op: 'create', resource: 'menus', body: { title: 'New', sections: [{ title: 'A', items: [soup] }] } }
    const given = [rewrite, added]
    const operations = when === 'first' ? [remove, ...given] : [...given, remove]
    const { id, operations: named } = (await venue.post('/releases', { title: 'Winter', operations })).body
    const { body } = await venue.post(`/releases/${id}/check`, {})
    expect(body).toMatchObject({ ok: true, errors: [], conflicts: [] })
    const change = body.changes.find((each: { id: string }) => each.id === menu)
    expect(change.after['/body/sections']).toMatchObject([{ title: 'Winter', items: [tea] }])
    const shown = await readData(await link(venue, id))
    expect([shown.status, JSON.stringify(shown.body).includes('Soup')]).toEqual([200, false])
    expect((await venue.post(`/releases/${id}/publish`, {})).body).toMatchObject({ state: 'published' })
    expect((await venue.get(`/menus/${menu}`)).body.sections).toMatchObject([{ title: 'Winter', items: [tea] }])
    const { id: created } = named.find(
      (each: { id: string; resource: string }) => each.resource === 'menus' && each.id !== menu,
    )
    expect((await venue.get(`/menus/${created}`)).body.sections).toMatchObject([{ title: 'A', items: [] }])
  })

  test('also if it is gone before the release is published', async () => {
    const { venue, soup, tea, menu, rewrite, remove } = await createDraft()
    const { id } = (await venue.post('/releases', { title: 'Winter', operations: [rewrite, remove] })).body
    await venue.remove(`/products/${soup}`)
    const { body } = await venue.post(`/releases/${id}/check`, {})
    expect([body.errors, body.conflicts.map(({ field }: { field: string }) => field)]).toEqual([[], ['/body/sections']])
    await venue.post(`/releases/${id}/publish`, { overwrite: true })
    expect((await venue.get(`/menus/${menu}`)).body.sections).toMatchObject([{ title: 'Winter', items: [tea] }])
  })

  test('what somebody else deleted is an error, and the change shows the values of the operation', async () => {
    const { venue, soup, menu, rewrite } = await createDraft()
    const { id } = (await venue.post('/releases', { title: 'Winter', operations: [rewrite] })).body
    await venue.remove(`/products/${soup}`)
    const { body } = await venue.post(`/releases/${id}/check`, {})
    expect(body).toMatchObject({
      ok: false,
      errors: [{ resource: 'menus', id: menu, pointer: '/body/sections/0/items/0', code: 'not_found' }],
      changes: [{ id: menu, title: 'Day' }],
    })
    const [{ before, after }] = body.changes
    expect([Object.keys(before), Object.keys(after)]).toEqual([['/body/sections'], ['/body/sections']])
    expect(after['/body/sections']).toMatchObject(rewrite.body.sections)
  })
})
