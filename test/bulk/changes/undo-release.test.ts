import { describe, expect, test } from 'vitest'
import { createFull, showAll, undo } from './full-venue.ts'

describe.each(['d1', 'object'] as const)('undo of a release in a home of the kind %s', (home) => {
  test('a published release can be undone, with its marks, limits and deletions', async () => {
    const { venue, objects, tea, tart, milk, menu, coupon, cake } = await createFull(home)
    const before = await showAll(venue, objects)
    const oat = (await venue.get(`/modifiers/${milk}`)).body.options[0].id
    const release = await venue.post('/releases', {
      title: 'Autumn',
      operations: [
        { op: 'create', resource: 'products', ref: '#soup', body: { title: 'Soup', price: 7 } },
        { op: 'update', resource: 'products', id: tea, body: { price: 6 }, availability: { soldOut: false } },
        { op: 'update', resource: 'products', id: cake, body: {}, availability: { soldOut: true } },
        { op: 'delete', resource: 'products', id: tart },
        { op: 'update', resource: 'menus', id: menu, body: { sections: [{ title: 'Autumn', items: ['#soup', tea] }] } },
        { op: 'update', resource: 'modifiers', id: milk, availability: { options: { [oat]: { soldOut: false } } } },
        {
          op: 'update',
          resource: 'coupons',
          id: coupon,
          limits: { maxRedemptions: 9, days: ['mon'], automatic: false },
        },
      ],
    })
    expect(release.status).toBe(201)
    const { changeSet } = (await venue.post(`/releases/${release.body.id}/publish`, {})).body
    expect((await venue.get(`/changes/${changeSet}`)).body).toMatchObject({ kind: 'release', state: 'done' })
    const { body } = await undo(venue, changeSet)
    expect(body.conflicts).toEqual([])
    expect(await showAll(venue, objects)).toEqual(before)
    expect((await venue.get('/products?q=soup')).body).toEqual([])
  })

  test('marks and limits that others changed since stay', async () => {
    const { venue, cake, coupon } = await createFull(home)
    const release = await venue.post('/releases', {
      title: 'Autumn',
      operations: [
        { op: 'update', resource: 'products', id: cake, body: {}, availability: { soldOut: true } },
        { op: 'update', resource: 'coupons', id: coupon, limits: { maxRedemptions: 9, maxDiscount: 4 } },
      ],
    })
    const { changeSet } = (await venue.post(`/releases/${release.body.id}/publish`, {})).body
    await venue.post(`/products/${cake}/availability`, { soldOut: true, until: 4_000_000_000 })
    await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 10 })
    const { body } = await undo(venue, changeSet)
    expect(body.conflictCount).toBe(2)
    expect(body.conflicts).toContainEqual({
      ...{ resource: 'products', id: cake, reason: 'changed' },
      fields: ['availability.until'],
    })
    expect(body.conflicts).toContainEqual({
      ...{ resource: 'coupons', id: coupon, reason: 'changed' },
      fields: ['limits.maxRedemptions'],
    })
    expect((await venue.get(`/products/${cake}/availability`)).body.until).toBe(4_000_000_000)
    const { maxRedemptions, maxDiscount } = (await venue.get(`/coupons/${coupon}/limits`)).body
    expect([maxRedemptions, maxDiscount]).toEqual([10, undefined])
  })

  test('marks alone count as changes of their objects', async () => {
    const { venue, cake, milk } = await createFull(home)
    const oat = (await venue.get(`/modifiers/${milk}`)).body.options[0].id
    const release = await venue.post('/releases', {
      title: 'Out',
      operations: [
        { op: 'update', resource: 'products', id: cake, availability: { soldOut: true } },
        { op: 'update', resource: 'modifiers', id: milk, availability: { options: { [oat]: { soldOut: false } } } },
      ],
    })
    const { changeSet } = (await venue.post(`/releases/${release.body.id}/publish`, {})).body
    const counts = { created: 0, updated: 2, deleted: 0 }
    const set = (await venue.get(`/changes/${changeSet}`)).body
    expect(set).toMatchObject({ counts, objects: [{ change: 'updated' }, { change: 'updated' }] })
    expect((await undo(venue, changeSet, '?dryRun=true')).body).toMatchObject({ counts })
    expect((await undo(venue, changeSet)).body).toMatchObject({ counts, conflictCount: 0 })
    expect((await venue.get(`/products/${cake}/availability`)).body.soldOut).toBe(false)
  })
})
