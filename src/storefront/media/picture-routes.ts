import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { createCaller } from '../../catalogue/resource/caller.ts'
import { retrieveObject } from '../../catalogue/resource/store/read.ts'
import { createStore, type Store } from '../../catalogue/resource/store/store.ts'
import { updateObjectFrom } from '../../catalogue/resource/store/update.ts'
import { menus } from '../../catalogue/resources/menus.ts'
import { products } from '../../catalogue/resources/products.ts'
import { type Issue, invalid } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { getPrecondition } from '../../platform/http/etag.ts'
import { limits } from '../../platform/http/fields.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { getOrigin } from '../../platform/http/public-url.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { pictureBody } from './picture-body.ts'
import { formatPictureName, picturePath } from './picture-name.ts'
import type { PictureUpload } from './read-upload.ts'

/** The response to an upload. */
export const pictureView = z.object({
  url: z.string().check(z.describe('Address of the picture. Its content never changes.')),
  width: z.int().check(z.describe('Width in pixels, as shown.')),
  height: z.int().check(z.describe('Height in pixels, as shown.')),
})

/** Adds the address of a picture to the fields of an object. */
type AddPicture<Item> = (item: Item, url: string) => ParsedBody

function addImage({ images }: z.output<typeof products.item>, url: string): ParsedBody {
  if (images.some((image) => image.url === url)) return { patch: {}, issues: [] }
  const full: Issue = { pointer: '/images', code: 'too_many', message: `must have at most ${limits.images} elements` }
  return { patch: { images: [...images, { url }] }, issues: images.length < limits.images ? [] : [full] }
}

const setBranding =
  (field: 'banner' | 'icon'): AddPicture<z.output<typeof menus.item>> =>
  ({ branding }, url) => ({ patch: { branding: { ...branding, [field]: url } }, issues: [] })

/** The address of an uploaded picture, and the response to the upload. */
export function describeUpload(c: Context<Env>, upload: PictureUpload) {
  const url = `${getOrigin(c)}${picturePath}${formatPictureName(upload)}`
  const { width, height } = upload.files[0]
  const picture: z.output<typeof pictureView> = { url, width, height }
  return { url, respond: () => c.json(picture, 201, { Location: url }) }
}

/** Stores a picture and adds it to an object, in one versioned write. */
async function addPicture<Item extends object>(
  c: Context<Env>,
  store: Store<Item>,
  upload: PictureUpload,
  add: AddPicture<Item>,
) {
  const caller = createCaller(c)
  const id = c.req.param('id') ?? ''
  const { url, respond } = describeUpload(c, upload)
  // Nothing is stored if the object does not exist, or cannot have more pictures.
  caller.database.usePrimary()
  const { issues } = add((await retrieveObject(store, caller, { id })).item, url)
  if (issues.length > 0) throw invalid(issues)
  const { storePicture } = await import('./store-picture.ts')
  await storePicture(c.env, caller, upload)
  const toBody = (item: Item) => add(item, url)
  await updateObjectFrom(store, caller, { id, toBody, respond, condition: getPrecondition(c) })
  return respond()
}

const productStore = createStore(products)
const menuStore = createStore(menus)

/** Uploads of pictures of products and menus, relative to the resource. */
export const pictureRoutes = {
  products: new Hono<Env>().post('/:id/images', pictureBody, idempotent, (c) =>
    addPicture(c, productStore, c.req.valid('form'), addImage),
  ),
  menus: new Hono<Env>()
    .post('/:id/banner', pictureBody, idempotent, (c) =>
      addPicture(c, menuStore, c.req.valid('form'), setBranding('banner')),
    )
    .post('/:id/icon', pictureBody, idempotent, (c) =>
      addPicture(c, menuStore, c.req.valid('form'), setBranding('icon')),
    ),
}
