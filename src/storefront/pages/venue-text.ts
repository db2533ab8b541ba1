import { html, raw } from 'hono/html'
import { getDirection, needsDirection } from './locale.ts'
import type { Html } from './page.ts'

/** The language that a text has where it differs from that around it, and the direction of the page. */
interface TextOptions {
  direction: 'ltr' | 'rtl'
  language?: string | undefined
}

/** Renders a text of the venue, isolated from the texts around it. */
export function renderVenueText(text: string | undefined, { direction, language }: TextOptions): Html {
  const own = language === undefined ? direction : getDirection(language)
  const lang = language === undefined ? '' : html` lang="${language}"`
  return html`<bdi${lang}${raw(needsDirection(text ?? '', own) ? ' dir="rtl"' : '')}>${text}</bdi>`
}
