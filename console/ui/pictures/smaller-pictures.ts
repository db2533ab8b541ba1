/** Widths in which the hosted menu shows pictures, in pixels (`src/storefront/media/picture-widths.ts`). */
const shownWidths = [112, 176, 352, 608, 832, 1_216]
/** Target width of a picture that is too large to upload: the maximum shown width, at twice the density. */
const reducedWidth = 2_432
const maxBytes = 8_388_608
const maxPixels = 40_000_000

/** Number of bytes at the start of a file that show whether it is an animation. */
const headBytes = 65_536

/**
 * The picture of a file, and smaller files of it, which browsers of guests load sooner. The picture itself is scaled down only if it is too large.
 * Animations, and pictures that the browser cannot draw, stay unchanged.
 */
export async function toPictures(file: File): Promise<readonly [Blob, { variants?: readonly Blob[] }]> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap || /acTL|ANIM/.test(await file.slice(0, headBytes).text())) return [file, {}]
  const { width, height } = bitmap
  const isSmall = file.size <= maxBytes && width * height <= maxPixels
  // The service can print only logos in JPEG or PNG.
  const type = /jpeg/.test(file.type) || (isSmall && /png/.test(file.type)) ? file.type : 'image/webp'
  const draw = (to: number) => {
    const canvas = new OffscreenCanvas(to, Math.ceil((height * to) / width))
    const context = canvas.getContext('2d')
    if (context) context.imageSmoothingQuality = 'high'
    context?.drawImage(bitmap, 0, 0, to, canvas.height)
    return canvas.convertToBlob({ type, quality: 0.85 })
  }
  const variants = await Promise.all(shownWidths.filter((each) => each < width).map(draw))
  const picture = isSmall ? file : await draw(Math.min(width, reducedWidth))
  return [picture, { variants: variants.filter(({ size }) => size < picture.size) }]
}
