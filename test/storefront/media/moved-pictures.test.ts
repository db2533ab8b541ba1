import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { sweepPictures } from '../../../src/storefront/media/sweep-pictures.ts'
import { createVenue } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'
import { moveTo } from '../../support/moves.ts'
import { pictures } from '../../support/pictures.ts'

test('a sweep keeps the files of a merchant that moves after the sweep found it', async () => {
  const venue = await createVenue()
  const { body: product } = await venue.post('/products', { title: 'Flat white', price: 3.5 })
  const { body } = await venue.raw(`/products/${product.id}/images`, pictures.jpeg, { 'content-type': 'image/jpeg' })
  await venue.post(`/products/${product.id}`, { images: [] })
  let moves = 0
  const { database } = watch(env.DB, async (statements) => {
    if (!statements.some((sql) => /update "pictures"/.test(sql)) || moves++ > 0) return
    expect(await moveTo(venue.id, 'object')).toMatchObject({ state: 'done' })
    const { status } = await venue.post(`/products/${product.id}`, { images: [{ url: body.url }] })
    expect(status).toBe(200)
  })
  const bindings = { ...env, DB: database }
  // The check of the picture is due, and it is unused since 31 days.
  await env.DB.prepare(
    'update pictures set check_at = 1, unused_since = unixepoch() - 31 * 86400 where merchant_id = ?',
  )
    .bind(venue.id)
    .run()
  await sweepPictures(bindings, directoryDatabase(bindings), Date.now())
  expect(moves).toBeGreaterThan(0)
  expect(await env.MEDIA.head(`pictures/${body.url.split('/i/')[1]}`)).not.toBe(null)
})
