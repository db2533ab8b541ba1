import { html } from 'hono/html'
import { formatResizedName, parsePictureName, picturePath } from '../../media/picture-name.ts'
import { getMaxWidth, type PictureKind, resizedWidths, shownWidths } from '../../media/picture-widths.ts'
import type { Html } from '../../pages/page.ts'
import type { PublicProduct } from '../public-menu.ts'
import { isShownPicture } from '../shown-pictures.ts'

const wideSizes = '(min-width:42rem) 608px,(min-resolution:2.1dppx) 66vw,100vw'

/** Sources of pictures. */
export interface PictureOptions {
  /** Origin of the service: its own pictures are shown even if it is `http:`. */
  origin: string
  /** Origin of addresses that search engines keep. Undefined if it is not known. */
  publicOrigin: string | undefined
  /** Whether the service makes smaller files of its pictures. */
  resizesPictures: boolean
}

/** Widths of the smaller files that the page uses: from the shown width to twice that. */
const listResizedWidths = (width: number, kind: PictureKind) =>
  resizedWidths.filter((each) => each >= shownWidths[kind] && each <= getMaxWidth(kind) && each < width)

/**
 * The files of an uploaded picture by width, smallest first: those of at most twice the shown width, otherwise the smallest. If a picture has no
 * smaller files, they are made on demand.
 */
function listFiles(url: string, { origin, resizesPictures }: PictureOptions, kind: PictureKind) {
  const start = `${origin}${picturePath}`
  const name = url.startsWith(start) ? parsePictureName(url.slice(start.length)) : undefined
  if (!name) return []
  const { digest, width, otherWidths } = name
  const uploaded = otherWidths.map((each) => ({ url: `${start}${digest}-${each}`, width: each }))
  const resized =
    resizesPictures && otherWidths.length === 0
      ? listResizedWidths(width, kind).map((each) => ({ url: `${start}${formatResizedName(name, each)}`, width: each }))
      : []
  const files = [{ url, width }, ...uploaded, ...resized].sort((a, b) => a.width - b.width)
  const fitting = files.filter((file) => file.width <= getMaxWidth(kind))
  return fitting.length > 0 ? fitting : files.slice(0, 1)
}

/**
 * Renders the image of a picture. The style sheet sets a minimum width and an aspect ratio, so that a picture that fails to load has no height. With
 * `width` and `height` attributes it would leave an empty frame.
 */
function renderImage(url: string, options: PictureOptions, kind: PictureKind, isFirst = false): Html {
  const files = listFiles(url, options, kind)
  const set = files.map((file) => `${file.url} ${file.width}w`).join()
  const sizes = kind === 'wide' ? wideSizes : `${shownWidths[kind]}px`
  return html`<img src="${files.at(-1)?.url ?? url}"${files.length > 1 ? html` srcset="${set}" sizes="${sizes}"` : ''} alt=""${isFirst ? html` fetchpriority="high"` : html` loading="lazy" decoding="async"`}>`
}

/** Renders the banner or icon of a menu, or the logo of a venue. `isFirst`: it is on the first screen, so that browsers load it at once. */
export function renderPicture(
  url: string | false | undefined,
  options: PictureOptions,
  kind: 'banner' | 'icon' | 'logo',
  { isFirst = kind === 'logo' } = {},
): Html | '' {
  if (!isShownPicture(url, options.origin)) return ''
  return html`<figure class="${kind}">${renderImage(url, options, kind === 'banner' ? 'wide' : kind, isFirst)}</figure>`
}

/** Renders the pictures of a product: the first one small. A tap opens all of them in full width, and only then loads them. */
export function renderProductPictures({ title, images }: PublicProduct, options: PictureOptions): Html | '' {
  const shown = images.flatMap(({ url }) => (isShownPicture(url, options.origin) ? [url] : []))
  const [first] = shown
  if (first === undefined) return ''
  const large = shown.map((url) => html`<figure>${renderImage(url, options, 'wide')}</figure>`)
  return html`<details class="pics"><summary aria-label="${title}">${renderImage(first, options, 'dish')}</summary>${large}</details>`
}
