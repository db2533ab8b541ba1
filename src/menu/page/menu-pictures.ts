import { html } from 'hono/html'
import type { Html } from '../../pages/page.ts'

/** Whether a page shows a picture: browsers block `http:` pictures on `https:` pages. Those of the page's own origin are shown. */
export function isShownPicture(url: string | false | undefined, origin: string): url is string {
  const address = url ? URL.parse(url) : null
  return address?.protocol === 'https:' || address?.origin === origin
}

/**
 * Renders a picture. Its size is in the style sheet, as a minimal width and an aspect ratio: so a picture that cannot be loaded has no
 * height. With `width` and `height` it would keep a frame.
 */
export function renderPicture(url: string | false | undefined, origin: string, kind?: 'banner' | 'icon'): Html | '' {
  if (!isShownPicture(url, origin)) return ''
  return html`<figure${kind === undefined ? '' : html` class="${kind}"`}><img src="${url}" alt="" loading="lazy" decoding="async"></figure>`
}
