import { html } from 'hono/html'
import { allergenCodes } from '../../../catalogue/resources/details/food-codes.ts'
import { toTheme } from '../../../platform/themes.ts'
import type { FoodMessages } from '../../pages/food/food-text-shape.ts'
import { getDirection } from '../../pages/locale.ts'
import type { HtmlPage } from '../../pages/page.ts'
import { renderVenueText } from '../../pages/venue-text.ts'
import { type AllergenSheet, toLegend } from '../allergen-sheet.ts'
import { getAllergenName } from '../food.ts'
import { describeDay, listSheetRows, type SheetRow } from '../sheet-rows.ts'

/** Marks a product whose options may add allergens. */
const choicesMark = '*'
const marks = { contains: '●', may_contain: '○' } as const

function renderRow(
  { title, untranslated, isMarked, levels, note }: SheetRow,
  messages: FoodMessages,
  { direction, ownLanguage }: { direction: 'ltr' | 'rtl'; ownLanguage: string },
) {
  const language = untranslated.includes('title') ? ownLanguage : undefined
  const mark = isMarked ? html` ${choicesMark}` : ''
  const below = note === '' ? '' : html`<small>${note}</small>`
  const name = html`<th scope="row">${renderVenueText(title, { direction, language })}${mark}${below}</th>`
  if (!levels) return html`<tr>${name}<td colspan="${allergenCodes.length}" class="all">${messages.notStated}</td></tr>`
  const cells = allergenCodes.map((code) => {
    const level = levels.get(code)
    // Narrow screens show the name next to the mark.
    return level === undefined
      ? html`<td></td>`
      : html`<td data-name="${getAllergenName(messages, code)}">${marks[level]}</td>`
  })
  return html`<tr>${name}${cells}</tr>`
}

/** Renders the allergens of all products, and of all options, as a table to print. */
export function renderAllergenSheet(sheet: AllergenSheet): HtmlPage {
  const { menu, venueLocale, language, messages, band, truncated, pdfUrl } = sheet
  const { language: contentLanguage } = venueLocale
  const heads = allergenCodes.map((code) => html`<th scope="col"><span>${getAllergenName(messages, code)}</span></th>`)
  const { dishes, choices, footnotes } = listSheetRows(menu, messages)
  const legend = [
    ...[messages.contains, messages.mayContain].map(
      (text, index) => html`<p>${Object.values(marks)[index]} ${toLegend(text)}</p>`,
    ),
    ...(dishes.some(({ isMarked }) => isMarked) ? [html`<p>${choicesMark} ${messages.choices}</p>`] : []),
  ]
  const titles = contentLanguage === undefined || contentLanguage === language ? '' : html` lang="${contentLanguage}"`
  const renderRows = (rows: readonly SheetRow[]) =>
    rows.map((row) =>
      renderRow(row, messages, { direction: venueLocale.direction, ownLanguage: menu.venue.language ?? '' }),
    )
  const options =
    choices.length === 0
      ? ''
      : html`<tbody${titles}><tr><th scope="rowgroup" colspan="${allergenCodes.length + 1}" lang="${language}">${messages.choicesTitle}</th></tr>${renderRows(choices)}</tbody>`
  const below = [...footnotes, ...(truncated === undefined ? [] : [truncated])]
  const notes = (menu.venue.notes ?? []).map(({ text, untranslated }) => {
    const language = untranslated ? (menu.venue.language ?? '') : undefined
    return html`<p>${renderVenueText(text, { direction: venueLocale.direction, language })}</p>`
  })
  return {
    language,
    direction: getDirection(language),
    kind: 'sheet',
    theme: toTheme(menu.venue.theme),
    color: menu.venue.color,
    title: `${messages.sheet} · ${menu.venue.name}`,
    head: html`<meta name="description" content="${messages.sheet} · ${menu.venue.name}">`,
    body: html`${band === undefined ? '' : html`<aside class="test">${band}</aside>`}<header><h1><bdi>${menu.venue.name}</bdi></h1><p>${messages.sheet} · ${describeDay(menu, messages, language)} · <a href="${pdfUrl}" rel="nofollow">PDF</a></p></header><main class="sheet" tabindex="0"><div class="about">${legend}</div><table><thead><tr><td></td>${heads}</tr></thead><tbody${titles}>${renderRows(dishes)}</tbody>${options}</table>${below.length === 0 ? '' : html`<div class="about">${below.map((text) => html`<p>${text}</p>`)}</div>`}${notes.length === 0 ? '' : html`<div class="about"${titles}>${notes}</div>`}</main>`,
  }
}
