import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type ClientOptions, createClient } from '../../packages/client/src/client.ts'
import { createVenue, origin } from '../support/api.ts'
import { pictures, smallPicture } from '../support/pictures.ts'

type Fetch = NonNullable<ClientOptions['fetch']>
const service: Fetch = (url, init) => exports.default.fetch(new Request(url, init))

async function connect(fetch: Fetch = service) {
  const { id: merchantId, key } = await createVenue()
  return createClient({ origin, merchantId, key, fetch })
}

const photo = new Blob([pictures.jpeg], { type: 'image/jpeg' })

test('pictures are uploaded to products and menus', async () => {
  const client = await connect()
  const { id } = await client.products.create({ title: 'Flat white', price: 3.5 })
  const image = await client.products.addImage(id, photo)
  expect(image).toEqual({ url: expect.stringMatching(/-20$/), width: 20, height: 40 })
  expect((await client.products.retrieve(id)).images).toEqual([{ url: image.url }])
  const menu = await client.menus.create({ title: 'All day' })
  const banner = await client.menus.setBanner(menu.id, new Blob([smallPicture]))
  const icon = await client.menus.setIcon(menu.id, photo)
  expect((await client.menus.retrieve(menu.id)).branding).toEqual({ banner: banner.url, icon: icon.url })
})

test('an upload whose response is lost is repeated, and stored once', async () => {
  let attempts = 0
  const client = await connect(async (url, init) => {
    const response = await service(url, init)
    if (url.endsWith('/images') && ++attempts === 1) throw new TypeError('connection lost')
    return response
  })
  const { id } = await client.products.create({ title: 'Flat white', price: 3.5 })
  const { url } = await client.products.addImage(id, new Blob([pictures.webp]))
  expect([attempts, (await client.products.retrieve(id)).images]).toEqual([2, [{ url }]])
})
