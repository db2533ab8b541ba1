import type { Picture } from './models.ts'
import type { RequestOptions, Transport } from './transport.ts'

/** Options of an upload of a picture. */
export interface PictureOptions extends RequestOptions {
  /** Smaller files of the same picture, for small screens on the hosted menu. */
  variants?: readonly Blob[] | undefined
}

/** Uploads a picture: JPEG, PNG, WebP or AVIF. */
export async function uploadPicture(
  transport: Transport,
  path: string,
  image: Blob,
  { variants = [], ...options }: PictureOptions = {},
): Promise<Picture> {
  const form = new FormData()
  form.append('image', image)
  for (const variant of variants) form.append('variant', variant)
  // It is encoded once, because each encoding has a different boundary, and a retry must send the same body.
  const encoded = new Response(form)
  const file = { data: await encoded.blob(), type: encoded.headers.get('content-type') ?? '' }
  return transport.read<Picture>({ method: 'POST', path, file, ...options })
}
