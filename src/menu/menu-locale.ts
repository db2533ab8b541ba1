import { detectLocale, type Locale } from '../pages/locale.ts'
import type { PublicMenu, PublicMenuEntry } from './public-menu.ts'

/** Length of the text that detects the script of a menu. More text gives no better result. */
const sampleLength = 2_000

/** Detects the locale of a venue from its name and its menus; `requestedLanguage` takes precedence for prices. */
export function detectMenuLocale({ venue, menus }: PublicMenu, requestedLanguage: string | undefined): Locale {
  let sample = venue.name
  for (const title of listTitles(menus)) {
    if (sample.length >= sampleLength) break
    sample += ` ${title}`
  }
  return detectLocale(venue, sample.slice(0, sampleLength), requestedLanguage)
}

function* listTitles(menus: readonly PublicMenuEntry[]): Iterable<string> {
  for (const { title, sections } of menus) {
    yield title
    for (const { title = '', products } of sections) {
      yield title
      for (const { title } of products) yield title
    }
  }
}
