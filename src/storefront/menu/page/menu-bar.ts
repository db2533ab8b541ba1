import { html } from 'hono/html'
import type { Html } from '../../pages/page.ts'
import { listMenuPositions, type PagePart } from '../menu-part.ts'
import type { ShownMenu } from '../public-menu.ts'
import { toMenuId, toSectionId } from './menu-article.ts'
import type { MenuItem } from './menu-items.ts'
import type { RenderOptions } from './render-options.ts'

/**
 * Renders the bar that stays in sight: links to the menus and the sections of the page. Menus that begin on another page are linked there. Empty with
 * fewer than two links. Opened, it shows all links and, with the page's script, the field for searching.
 */
export function renderBar(
  menus: readonly ShownMenu[],
  part: PagePart<MenuItem>,
  { show, phrases: { isForeign, language, messages } }: RenderOptions,
  contentLanguage: string,
  toUrl: (from: number) => string,
): Html | '' {
  const positions = listMenuPositions(menus)
  const shown = new Map(part.menus.map((each) => [each.index, each]))
  const links = menus.flatMap((menu, index) => {
    const { isStart = false, sections = [] } = shown.get(index) ?? {}
    const url = isStart ? `#${toMenuId(index)}` : toUrl(positions[index] ?? 0)
    return [
      ...(menus.length < 2 ? [] : [html`<li><a class="m" href="${url}">${show(menu, 'title')}</a></li>`]),
      ...(menu.showSectionNavigation ? sections : []).flatMap(({ section, index: position }) =>
        section.title ? [html`<li><a href="#${toSectionId(index, position)}">${show(section, 'title')}</a></li>`] : [],
      ),
    ]
  })
  if (links.length < 2) return ''
  const [lang, listLang] = isForeign ? [html` lang="${language}"`, html` lang="${contentLanguage}"`] : ['', '']
  return html`<nav class="bar" aria-label="${messages.menus}"${lang}><details class="jump"><summary aria-label="${messages.menus}"></summary></details><input type="search" aria-label="${messages.search}" placeholder="${messages.search}" autocomplete="off" hidden><output hidden></output><ul${listLang}>${links}</ul></nav>`
}
