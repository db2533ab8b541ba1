import { html, raw } from 'hono/html'
import { getDirection, needsDirection } from './locale.ts'
import type { Html } from './page.ts'

/** The language of a text if it differs from that of the surrounding text, and the direction of the page. */
interface TextOptions {
  direction: 'ltr' | 'rtl'
  language?: string | undefined
}

/** Renders a text of the venue, isolated from the surrounding text direction. */
export function renderVenueText(text: string | undefined, { direction, language }: TextOptions): Html {
  const own = language === undefined ? direction : getDirection(language)
  const lang = language === undefined ? '' : html` lang="${language}"`
  return html`<bdi${lang}${raw(needsDirection(text ?? '', own) ? ' dir="rtl"' : '')}>${text}</bdi>`
}
