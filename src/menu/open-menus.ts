import { cacheClock, createClock, getMinute, getNextChange, isOpen } from '../lib/opening-hours.ts'
import type { TagRecord } from '../tags/tag-record.ts'
import type { Catalogue } from './catalogue.ts'
import { detectMenuLocale } from './menu-locale.ts'
import type { PublicMenu, PublicMenuEntry, PublicProduct, PublicSection } from './public-menu.ts'

type StoredMenu = Catalogue['menus'][number]

/**
 * A catalogue at a time, in seconds, for guests who scanned `tag` or none: the open menus and, with the time at which each opens next, the
 * closed ones. Both are sorted by title, with numbers in numeric order.
 */
export function toPublicMenu(catalogue: Catalogue, tag: TagRecord | undefined, at: number): PublicMenu {
  const { venue, testMode, products, modifiers, truncated } = catalogue
  const clock = cacheClock(createClock(venue.timezone))
  const minute = getMinute(clock, at)
  const menus: PublicMenuEntry[] = []
  const closedMenus: PublicMenu['closedMenus'] = []
  for (const stored of catalogue.menus) {
    const menu = { ...stored, sections: toPublicSections(stored.sections, products) }
    const nextServed = isOpen(stored, minute) ? undefined : getNextChange([stored], clock, at)
    if (isOpen(stored, minute)) menus.push(menu)
    else if (nextServed !== undefined) closedMenus.push({ ...menu, nextServed })
  }
  const { locale } = detectMenuLocale({ venue, menus, closedMenus }, undefined)
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const byTitle = (a: { title: string }, b: { title: string }) => compare(a.title, b.title)
  menus.sort(byTitle)
  closedMenus.sort(byTitle)
  const nextChangeAt = getNextChange(catalogue.menus, clock, at)
  const next = menus.length > 0 ? [] : closedMenus.filter(({ nextServed }) => nextServed === nextChangeAt)
  return {
    venue,
    testMode,
    tag: tag && { id: tag.id, metadata: tag.shown.map(([key, value]) => ({ key, value })) },
    availableAt: at,
    nextChangeAt,
    nextMenus: next.map(({ title }) => title),
    menus,
    closedMenus,
    modifiers: [...modifiers.values()],
    truncated,
  }
}

/** Replaces items by their products. A section whose products are all hidden is left out. */
function toPublicSections(
  sections: StoredMenu['sections'],
  products: ReadonlyMap<string, PublicProduct>,
): PublicSection[] {
  return sections.flatMap(({ items, ...section }) => {
    const visible = items.flatMap((id) => products.get(id) ?? [])
    return visible.length > 0 || items.length === 0 ? [{ ...section, products: visible }] : []
  })
}
