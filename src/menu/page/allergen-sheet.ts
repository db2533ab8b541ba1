import { html } from 'hono/html'
import type { FoodMessages } from '../../pages/food/shape.ts'
import { getDirection, type Locale } from '../../pages/locale.ts'
import type { PageLanguage } from '../../pages/messages.ts'
import type { HtmlPage } from '../../pages/page.ts'
import { allergenCodes } from '../../resources/details/product-details.ts'
import { getAllergenName, listProducts } from '../food.ts'
import type { PublicMenu, PublicProduct } from '../public-menu.ts'

const marks = { contains: '●', may_contain: '○' } as const

function renderRow({ title, allergens, untranslated }: PublicProduct, messages: FoodMessages, ownLanguage: string) {
  const lang = untranslated?.includes('title') ? html` lang="${ownLanguage}"` : ''
  const name = html`<th scope="row" dir="auto"${lang}>${title}</th>`
  if (!allergens) return html`<tr>${name}<td colspan="${allergenCodes.length}">${messages.notStated}</td></tr>`
  const cells = allergenCodes.map((code) => {
    const level = allergens.find((each) => each.code === code)?.level
    return html`<td>${level === undefined ? '' : marks[level]}</td>`
  })
  return html`<tr>${name}${cells}</tr>`
}

/** Renders the allergens of all products as a table to print. */
export function renderAllergenSheet(
  menu: PublicMenu,
  { language: contentLanguage }: Locale,
  language: PageLanguage,
  messages: FoodMessages,
): HtmlPage {
  const heads = allergenCodes.map((code) => html`<th scope="col"><span>${getAllergenName(messages, code)}</span></th>`)
  const legend = [messages.contains, messages.mayContain].map(
    (text, index) => html`<p>${Object.values(marks)[index]} ${text.replace(/[:：]?\s*\{list\}/, '')}</p>`,
  )
  const titles = contentLanguage === undefined || contentLanguage === language ? '' : html` lang="${contentLanguage}"`
  return {
    language,
    direction: getDirection(language),
    title: `${messages.sheet} · ${menu.venue.name}`,
    body: html`<header><h1><bdi>${menu.venue.name}</bdi></h1><p>${messages.sheet}</p></header><main class="sheet" tabindex="0"><div class="about">${legend}</div><table><thead><tr><td></td>${heads}</tr></thead><tbody${titles}>${listProducts(menu).map((product) => renderRow(product, messages, menu.venue.language ?? ''))}</tbody></table></main>`,
  }
}
