import { detectLocale, type Locale } from '../pages/locale.ts'
import { listShownMenus, type PublicMenu, type ShownMenu } from './public-menu.ts'

/** Length of the text that detects the script of a menu. More text does not improve the result. */
const sampleLength = 2_000

/**
 * The locale of a venue's texts: detected from its name and all its menus, so that it is the same at every hour. `requestedLanguage` takes precedence
 * for prices. All code gets the language of the content from here.
 */
export function detectMenuLocale(
  menu: Pick<PublicMenu, 'venue' | 'language' | 'menus' | 'closedMenus'>,
  requestedLanguage: string | undefined,
): Locale {
  const { venue, language } = menu
  let sample = venue.name
  for (const title of listTitles(listShownMenus(menu))) {
    if (sample.length >= sampleLength) break
    sample += ` ${title}`
  }
  return detectLocale({ ...venue, language }, sample.slice(0, sampleLength), requestedLanguage)
}

function* listTitles(menus: readonly ShownMenu[]): Iterable<string> {
  for (const { title, sections } of menus) {
    yield title
    for (const { title = '', products } of sections) {
      yield title
      for (const { title } of products) yield title
    }
  }
}
