import { html, raw } from 'hono/html'
import { createPagePolicy } from '../../platform/lib/content-security-policy.ts'
import { createAccentStyles } from './accent-color.ts'
import { fallbackTheme } from './look/tokens.ts'
import { styles } from './styles.ts'

/** Safe HTML: `html` escapes all values. */
export type Html = ReturnType<typeof html>

/** A page in the style of pages for guests. */
export interface HtmlPage {
  language: string
  direction?: 'ltr' | 'rtl' | undefined
  title: string
  /** Additional elements of the head. */
  head?: Html | undefined
  body: Html
  /** Color of the venue: `#rrggbb`. */
  color?: string | undefined
  /** The page's script. Default: no script. */
  script?: string
}

/** Icon of all pages: a plate. It is part of the page and costs no request. */
export const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#9a3b12"/><circle cx="16" cy="16" r="10" fill="#fdfbf7"/><circle cx="16" cy="16" r="6" fill="#e7dfd2"/></svg>')}`

/** Allows only our style sheet, our images and images of https: hosts. No script runs, even if a name contains one. */
let scriptlessPolicy: string | undefined

const getStyles = ({ color }: HtmlPage) =>
  color === undefined ? styles : styles + createAccentStyles(color, fallbackTheme)

/** Renders a page in the style that all pages for guests share. */
export const renderPage = (page: HtmlPage) => {
  const { language, direction, title, head, body, script } = page
  return html`<!doctype html><html lang="${language}"${direction === 'rtl' ? raw(' dir="rtl"') : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><meta name="theme-color" content="#fdfbf7" media="(prefers-color-scheme:light)"><meta name="theme-color" content="#171411" media="(prefers-color-scheme:dark)"><link rel="icon" href="${icon}">${head}<style>${raw(getStyles(page))}</style></head><body>${body}${script && html`<script>${raw(script)}</script>`}</body></html>`
}

/** Responds with a page. */
export async function createPageResponse(
  page: HtmlPage,
  status: number,
  headers: Record<string, string>,
): Promise<Response> {
  const { script, color } = page
  const style = getStyles(page)
  const images = "'self' https: data:"
  // The console shows menus in a frame. Pages with a script can act for the user, so they are never shown in a frame.
  const frames = "'self'"
  scriptlessPolicy ??= await createPagePolicy({ style: styles, images, frames })
  return new Response((await renderPage(page)).toString(), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        script === undefined && color === undefined
          ? scriptlessPolicy
          : await createPagePolicy(
              script === undefined ? { style, images, frames } : { style, script, images: 'data:' },
            ),
      ...headers,
    },
  })
}
