import { html } from 'hono/html'
import { allergenCodes } from '../../../catalogue/resources/details/food-codes.ts'
import type { FoodMessages } from '../../pages/food/food-text-shape.ts'
import { getDirection } from '../../pages/locale.ts'
import type { HtmlPage } from '../../pages/page.ts'
import { renderVenueText } from '../../pages/venue-text.ts'
import { type AllergenSheet, toLegend } from '../allergen-sheet.ts'
import { getAllergenName, listProducts, needsChoicesWarning } from '../food.ts'
import type { PublicProduct } from '../public-menu.ts'

/** Marks a product whose options may add allergens. */
const choicesMark = '*'
const marks = { contains: '●', may_contain: '○' } as const

function renderRow(
  product: PublicProduct,
  messages: FoodMessages,
  { direction, ownLanguage }: { direction: 'ltr' | 'rtl'; ownLanguage: string },
) {
  const { title, allergens, untranslated } = product
  const language = untranslated?.includes('title') ? ownLanguage : undefined
  const mark = needsChoicesWarning(product) ? html` ${choicesMark}` : ''
  const name = html`<th scope="row">${renderVenueText(title, { direction, language })}${mark}</th>`
  if (!allergens)
    return html`<tr>${name}<td colspan="${allergenCodes.length}" class="all">${messages.notStated}</td></tr>`
  const cells = allergenCodes.map((code) => {
    const level = allergens.find((each) => each.code === code)?.level
    // Narrow screens show the name next to the mark.
    return level === undefined
      ? html`<td></td>`
      : html`<td data-name="${getAllergenName(messages, code)}">${marks[level]}</td>`
  })
  return html`<tr>${name}${cells}</tr>`
}

/** Renders the allergens of all products as a table to print. */
export function renderAllergenSheet(sheet: AllergenSheet): HtmlPage {
  const { menu, venueLocale, language, messages, testMode, truncated, pdfUrl } = sheet
  const { language: contentLanguage } = venueLocale
  const heads = allergenCodes.map((code) => html`<th scope="col"><span>${getAllergenName(messages, code)}</span></th>`)
  const products = listProducts(menu)
  const legend = [
    ...[messages.contains, messages.mayContain].map(
      (text, index) => html`<p>${Object.values(marks)[index]} ${toLegend(text)}</p>`,
    ),
    ...(products.some(needsChoicesWarning) ? [html`<p>${choicesMark} ${messages.choices}</p>`] : []),
  ]
  const titles = contentLanguage === undefined || contentLanguage === language ? '' : html` lang="${contentLanguage}"`
  return {
    language,
    direction: getDirection(language),
    title: `${messages.sheet} · ${menu.venue.name}`,
    head: html`<meta name="description" content="${messages.sheet} · ${menu.venue.name}">`,
    body: html`${testMode === undefined ? '' : html`<aside class="test">${testMode}</aside>`}<header><h1><bdi>${menu.venue.name}</bdi></h1><p>${messages.sheet} · <a href="${pdfUrl}" rel="nofollow">PDF</a></p></header><main class="sheet" tabindex="0"><div class="about">${legend}</div><table><thead><tr><td></td>${heads}</tr></thead><tbody${titles}>${products.map((product) => renderRow(product, messages, { direction: venueLocale.direction, ownLanguage: menu.venue.language ?? '' }))}</tbody></table>${truncated === undefined ? '' : html`<div class="about"><p>${truncated}</p></div>`}</main>`,
  }
}
