import { createVenue, send, type Venue } from '../../support/api.ts'
import { pictures } from '../../support/pictures.ts'

export async function createProduct(options: Parameters<typeof createVenue>[0] = {}) {
  const venue = await createVenue(options)
  const { body } = await venue.post('/products', { title: 'Flat white', price: 3.5 })
  const path = `/products/${body.id}`
  return { venue, path, images: async () => (await venue.get(path)).body.images.map(({ url }: { url: string }) => url) }
}

export const upload = (
  venue: Venue,
  path: string,
  file: BodyInit = pictures.jpeg,
  headers: Record<string, string> = {},
) => venue.raw(path, file, file instanceof FormData ? headers : { 'content-type': 'image/jpeg', ...headers })

export function createForm(parts: readonly (readonly [name: string, file: Uint8Array | string])[]) {
  const form = new FormData()
  for (const [name, file] of parts) {
    if (typeof file === 'string') form.append(name, file)
    else form.append(name, new File([file], `${name}.bin`))
  }
  return form
}

/** The file behind an address. */
export const fetchPicture = (url: string, headers: Record<string, string> = {}) =>
  send(new URL(url).pathname, { headers })
