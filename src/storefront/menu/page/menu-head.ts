import { html } from 'hono/html'
import type { Html } from '../../pages/page.ts'
import { listShownMenus, type PublicMenu } from '../public-menu.ts'
import { isShownPicture } from '../shown-pictures.ts'
import { manifestName } from './structured-data/menu-manifest.ts'

/** Maximum number of characters of a description. Search engines show no more. */
const maxDescriptionLength = 160

/** The description of a venue's menu for search engines and link previews: its name, and the titles of its menus and their sections. */
function describeMenu(menu: PublicMenu): string {
  const menus = listShownMenus(menu)
  const sections = menus.flatMap(({ sections }) => sections.flatMap(({ title }) => title ?? []))
  const text = [menu.venue.name, ...menus.map(({ title }) => title), ...new Set(sections)].join(' · ')
  const characters = [...text.slice(0, 4 * maxDescriptionLength)]
  return characters.length <= maxDescriptionLength
    ? text
    : `${characters
        .slice(0, maxDescriptionLength - 1)
        .join('')
        .trimEnd()}…`
}

/** Formats that previews of links do not show. */
const unshown = /\.(?:svg|avif)(?:[?#]|$)/i

/** The picture of a link preview: the first banner, otherwise the logo, the first picture of a product, and that of the service. */
function findPicture(menu: PublicMenu, origin: string | undefined): string | undefined {
  const menus = listShownMenus(menu)
  const products = menus.flatMap(({ sections }) => sections.flatMap(({ products }) => products))
  const pictures = [
    ...menus.map(({ branding }) => branding.banner),
    menu.venue.logo,
    ...products.map(({ images: [image] }) => image?.url),
  ]
  const found = pictures.find((url) => isShownPicture(url, origin) && !unshown.test(url))
  if (typeof found === 'string') return found
  return origin === undefined ? undefined : `${origin}/plate.png`
}

/** The addresses of the page and of its languages. */
function renderAddresses({ venue, language, languages }: PublicMenu, origin: string): Html {
  const toAddress = (lang: string | undefined) => `${origin}/m/${venue.id}${lang === undefined ? '' : `?lang=${lang}`}`
  const address = toAddress(language === venue.language ? undefined : language)
  const others = languages.length < 2 ? [] : languages
  return html`<link rel="canonical" href="${address}">${others.map((each) => html`<link rel="alternate" hreflang="${each}" href="${toAddress(each)}">`)}<meta property="og:url" content="${address}">`
}

/** The elements of the head that search engines and link previews read. Without a known origin, they do not contain addresses of the page. */
export function renderMenuHead(menu: PublicMenu, origin: string | undefined): Html {
  const description = describeMenu(menu)
  const picture = findPicture(menu, origin)
  return html`<link rel="manifest" href="/m/${menu.venue.id}/${manifestName}"><link rel="apple-touch-icon" href="/icon-192.png"><meta name="description" content="${description}">${origin === undefined ? '' : renderAddresses(menu, origin)}<meta property="og:type" content="website"><meta property="og:title" content="${menu.venue.name}"><meta property="og:description" content="${description}">${picture === undefined ? '' : html`<meta property="og:image" content="${picture}">`}`
}
