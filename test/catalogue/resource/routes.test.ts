import { expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'

test('a product is created, retrieved, updated and deleted', async () => {
  const venue = await createVenue()
  const created = await venue.post('/products', { title: 'Tea', price: '4.50' })
  expect(created.status).toBe(201)
  expect((await venue.get(`/products/${created.body.id}`)).body).toEqual(created.body)
  expect((await venue.get('/products?q=te')).body).toEqual([created.body])
  expect((await venue.remove(`/products/${created.body.id}`)).body).toEqual({
    id: created.body.id,
    object: created.body,
    message: 'Product deleted',
    deleted: true,
  })
  expect((await venue.get('/products')).body).toEqual([])
})
