import { expect, test } from 'vitest'
import { createVenue, toIssues } from '../../../support/api.ts'

test('members of a deposit are changed alone: an amount that a request omits stays', async () => {
  const venue = await createVenue()
  const options = [{ id: 's', label: 'S' }]
  const modifier = await venue.post('/modifiers', { title: 'Size', instructions: '', type: 'RADIO', options })
  const product = await venue.post('/products', { title: 'Beer', price: 4, modifiers: [modifier.body.id] })
  const change = (details: object) => venue.post(`/products/${product.body.id}/details`, details)
  const inSize = (deposit: unknown) => ({ sizes: { modifier: modifier.body.id, prices: { s: { price: 4, deposit } } } })
  expect(toIssues(await change({ deposit: { title: 'Bottle' } }))).toEqual(['/deposit/amount required'])
  expect(toIssues(await change(inSize({ taxRate: 7 })))).toEqual(['/sizes/prices/s/deposit/amount required'])
  expect((await change({ deposit: { amount: 0.25 }, ...inSize({ amount: 0.15, title: 'Glass' }) })).status).toBe(200)
  const named = await change({ deposit: { title: 'Bottle' }, sizes: { prices: { s: { deposit: { taxRate: 7 } } } } })
  expect(named.body).toMatchObject({
    deposit: { amount: 0.25, title: 'Bottle' },
    sizes: { prices: { s: { price: 4, deposit: { amount: 0.15, title: 'Glass', taxRate: 7 } } } },
  })
  expect(toIssues(await change({ deposit: { amount: null } }))).toEqual(['/deposit/amount required'])
  const cleared = await change({ deposit: { title: null }, sizes: { prices: { s: { deposit: null } } } })
  expect(cleared.body).toMatchObject({ deposit: { amount: 0.25 }, sizes: { prices: { s: { price: 4 } } } })
  expect(cleared.body.deposit).not.toHaveProperty('title')
})
