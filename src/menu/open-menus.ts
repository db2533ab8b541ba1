import type { TagRecord } from '../tags/tag-record.ts'
import type { Catalogue } from './catalogue.ts'
import { createClock, getMinute, getNextChange, isOpen } from './opening-hours.ts'
import type { PublicMenu, PublicMenuEntry, PublicProduct, PublicSection } from './public-menu.ts'

type StoredMenu = Catalogue['menus'][number]

/** The part of a catalogue that is open at a time, in seconds, for guests who scanned `tag` or none. */
export function toPublicMenu(catalogue: Catalogue, tag: TagRecord | undefined, at: number): PublicMenu {
  const { venue, testMode, menus, products, modifiers, truncated } = catalogue
  const clock = createClock(venue.timezone)
  const open = listOpenMenus(menus, getMinute(clock, at))
  const nextChangeAt = getNextChange(menus, clock, at)
  const next = open.length > 0 || nextChangeAt === undefined ? [] : listOpenMenus(menus, getMinute(clock, nextChangeAt))
  return {
    venue,
    testMode,
    tag: tag && { id: tag.id, metadata: tag.shown.map(([key, value]) => ({ key, value })) },
    availableAt: at,
    nextChangeAt,
    nextMenus: next.map(({ title }) => title),
    menus: open.map((menu): PublicMenuEntry => ({ ...menu, sections: toPublicSections(menu.sections, products) })),
    modifiers: [...modifiers.values()],
    truncated,
  }
}

const listOpenMenus = (menus: readonly StoredMenu[], minute: number) => menus.filter((menu) => isOpen(menu, minute))

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
