import { html, raw } from 'hono/html'
import { createPagePolicy } from '../../platform/lib/content-security-policy.ts'
import { fallbackTheme, type Theme } from '../../platform/themes.ts'
import { listAlphabets } from './look/font-faces.ts'
import { palettes } from './look/tokens.ts'
import { createStyles, type PageKind, styles } from './styles.ts'

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
  /** Rules that the page needs besides those of all pages. */
  kind?: PageKind
  /** Color of the venue: `#rrggbb`. */
  color?: string | undefined
  /** Design of the venue. Default: the usual one. */
  theme?: Theme | undefined
  /** The page's script. Default: no script. */
  script?: string
  /** Whether pages of the service may show this one in a frame. Default: if it has no script. */
  isFramed?: boolean
}

/** Icon of all pages: a plate. It is part of the page and costs no request. */
export const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#9a3b12"/><circle cx="16" cy="16" r="10" fill="#fdfbf7"/><circle cx="16" cy="16" r="6" fill="#e7dfd2"/></svg>')}`

const createPageStyles = ({ kind, theme = fallbackTheme, color, title, body }: HtmlPage) =>
  kind === undefined ? styles : createStyles(kind, { theme, color, alphabets: listAlphabets(`${title}${body}`) })

/** Renders a page in the style that all pages for guests share. */
export function renderPage(page: HtmlPage, style = createPageStyles(page)): Html {
  const { language, direction, title, head, body, script, theme = fallbackTheme } = page
  const { light, dark } = palettes[theme]
  return html`<!doctype html><html lang="${language}"${direction === 'rtl' ? raw(' dir="rtl"') : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover"><title>${title}</title><meta name="theme-color" content="${light.paper}" media="(prefers-color-scheme:light)"><meta name="theme-color" content="${dark.paper}" media="(prefers-color-scheme:dark)"><link rel="icon" href="${icon}">${head}<style>${raw(style)}</style></head><body>${body}${script && html`<script>${raw(script)}</script>`}</body></html>`
}

/** The policy of pages without a script in the usual style. */
let usualPolicy: string | undefined

/** Allows only our style sheet, our fonts, our images and images of https: hosts. No script runs but ours, even if a name contains one. */
async function createPolicy(
  { kind, script, isFramed = script === undefined }: HtmlPage,
  style: string,
): Promise<string> {
  const isUsual = script === undefined && style === styles
  if (isUsual && usualPolicy !== undefined) return usualPolicy
  const policy = await createPagePolicy({
    style,
    ...(script !== undefined && { script }),
    images: isFramed ? "'self' https: data:" : 'data:',
    ...(kind === 'menu' && { forms: "'self'", manifest: "'self'" }),
    // The console shows menus in a frame. Pages whose script can act for the user are never shown in a frame.
    ...(isFramed && { frames: "'self'" }),
  })
  if (isUsual) usualPolicy = policy
  return policy
}

/** Responds with a page. */
export async function createPageResponse(
  page: HtmlPage,
  status: number,
  headers: Record<string, string>,
): Promise<Response> {
  const style = createPageStyles(page)
  return new Response((await renderPage(page, style)).toString(), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': await createPolicy(page, style),
      ...headers,
    },
  })
}
