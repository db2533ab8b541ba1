import { html } from 'hono/html'
import { parsePictureName, picturePath } from '../../media/picture-name.ts'
import type { Html } from '../../pages/page.ts'
import type { PublicProduct } from '../public-menu.ts'

/** Whether a page shows a picture: browsers block `http:` pictures on `https:` pages. Those of the page's own origin are shown. */
export function isShownPicture(url: string | false | undefined, origin: string): url is string {
  const address = url ? URL.parse(url) : null
  return address?.protocol === 'https:' || address?.origin === origin
}

/** Largest width of each kind of picture in CSS pixels, as the style sheet says, and its width as `sizes` says. */
const shownWidths = { dish: 88, icon: 56, logo: 176, wide: 608 } as const
type Kind = keyof typeof shownWidths
/** No screen loads more than twice the shown width, whatever its density. */
const density = 2
const wideSizes = '(min-width:42rem) 608px,(min-resolution:2.1dppx) 66vw,100vw'

/** The files of an uploaded picture by width, smallest first: those of at most twice the shown width, else the smallest. */
function listFiles(url: string, origin: string, kind: Kind): { url: string; width: number }[] {
  const start = `${origin}${picturePath}`
  const name = url.startsWith(start) ? parsePictureName(url.slice(start.length)) : undefined
  if (!name || name.otherWidths.length === 0) return []
  const { digest, width } = name
  const files = [{ url, width }, ...name.otherWidths.map((each) => ({ url: `${start}${digest}-${each}`, width: each }))]
  files.sort((a, b) => a.width - b.width)
  const fitting = files.filter((file) => file.width <= density * shownWidths[kind])
  return fitting.length > 0 ? fitting : files.slice(0, 1)
}

/**
 * Renders the image of a picture. Its size is in the style sheet, as a minimal width and an aspect ratio: so a picture that cannot be
 * loaded has no height. With `width` and `height` it would keep a frame.
 */
function renderImage(url: string, origin: string, kind: Kind): Html {
  const files = listFiles(url, origin, kind)
  const set = files.map((file) => `${file.url} ${file.width}w`).join()
  const sizes = kind === 'wide' ? wideSizes : `${shownWidths[kind]}px`
  return html`<img src="${files.at(-1)?.url ?? url}"${files.length > 1 ? html` srcset="${set}" sizes="${sizes}"` : ''} alt="" loading="lazy" decoding="async">`
}

/** Renders the banner or icon of a menu, or the logo of a venue. */
export function renderPicture(
  url: string | false | undefined,
  origin: string,
  kind: 'banner' | 'icon' | 'logo',
): Html | '' {
  if (!isShownPicture(url, origin)) return ''
  return html`<figure class="${kind}">${renderImage(url, origin, kind === 'banner' ? 'wide' : kind)}</figure>`
}

/** Renders the pictures of a product: the first one small. It opens all of them in full width, which load only then. */
export function renderProductPictures({ title, images }: PublicProduct, origin: string): Html | '' {
  const shown = images.flatMap(({ url }) => (isShownPicture(url, origin) ? [url] : []))
  const [first] = shown
  if (first === undefined) return ''
  const large = shown.map((url) => html`<figure>${renderImage(url, origin, 'wide')}</figure>`)
  return html`<details class="pics"><summary aria-label="${title}">${renderImage(first, origin, 'dish')}</summary>${large}</details>`
}
