import { getPause } from '../../platform/db/service/service-state.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { findOpeningAfterPause, judgeMenu } from '../../platform/lib/hours/pauses.ts'
import { createServiceHours, isVenueOpen, type ServiceHours } from '../../platform/lib/hours/service-hours.ts'
import { type Clock, cacheClock, createClock } from '../../platform/lib/opening-hours.ts'
import type { TagRecord } from '../tags/tag-record.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { detectMenuLocale } from './menu-locale.ts'
import type { PublicMenu, PublicMenuEntry, PublicProduct, PublicSection } from './public-menu.ts'

type StoredMenu = Catalogue['menus'][number]

/**
 * A catalogue at a time in seconds, for guests with or without a scanned `tag`. It has the open menus, and the closed ones with their next opening.
 * Menus that never open again are left out, and those that are not for the order type of the tag. Both are sorted by position, then by title, with numbers in numeric order.
 */
export function toPublicMenu(catalogue: Catalogue, tag: TagRecord | undefined, at: number): PublicMenu {
  const { venue, testMode, products, parts, modifiers, charges, truncated } = catalogue
  const language = catalogue.language ?? venue.language
  const clock = cacheClock(createClock(venue.timezone))
  const service = createServiceHours(venue)
  const paused = getPause(catalogue.service, at)
  const changes: number[] = []
  const menus: PublicMenuEntry[] = []
  const closedMenus: PublicMenu['closedMenus'] = []
  for (const stored of catalogue.menus) {
    const { details, ...fields } = stored
    const { position, days, dates, orderTypes } = details
    if (tag?.orderType !== undefined && orderTypes?.every((type) => type !== tag.orderType)) continue
    const sections = toPublicSections(stored, products)
    const menu = { ...fields, position, days, dates, orderTypes, sections }
    const { isServed, change } = judgeMenu(menu, service, clock, at, paused?.until)
    if (change !== undefined) changes.push(change)
    if (isServed) menus.push(menu)
    else if (change !== undefined) closedMenus.push({ ...menu, nextServed: change })
  }
  const { locale } = detectMenuLocale({ venue, language, menus, closedMenus }, undefined)
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const inOrder = (a: PublicMenuEntry, b: PublicMenuEntry) =>
    (a.position ?? Number.POSITIVE_INFINITY) - (b.position ?? Number.POSITIVE_INFINITY) || compare(a.title, b.title)
  menus.sort(inOrder)
  closedMenus.sort(inOrder)
  const nextChangeAt = changes.length === 0 ? undefined : Math.min(...changes)
  const next = menus.length > 0 ? [] : closedMenus.filter(({ nextServed }) => nextServed === nextChangeAt)
  return {
    venue,
    language,
    languages: [...new Set([...(venue.language === undefined ? [] : [venue.language]), ...catalogue.languages])],
    testMode,
    tag: tag && { id: tag.id, metadata: tag.shown.map(([key, value]) => ({ key, value })) },
    availableAt: at,
    nextChangeAt,
    nextMenus: next.map(({ title }) => title),
    closed: menus.length > 0 ? undefined : findClosure(service, clock, at, paused?.until),
    paused,
    menus,
    closedMenus,
    modifiers: [...modifiers.values()],
    parts: listParts([...menus, ...closedMenus], (id) => products.get(id) ?? parts.get(id)),
    ...(charges.length > 0 && { charges: [...charges] }),
    truncated,
  }
}

/** Why a venue serves nothing at a time, and when it opens. Undefined if it is open by its own rules. */
function findClosure(
  service: ServiceHours,
  clock: Clock,
  at: number,
  pausedUntil: number | undefined,
): PublicMenu['closed'] {
  if (isVenueOpen(service, clock(at))) return undefined
  const { until, title } = service.getClosure(Math.floor(clock(at) / daySeconds)) ?? {}
  return { opensAt: findOpeningAfterPause(service, clock, at, pausedUntil), until, title }
}

/** The parts of bundles on menus, each once. */
function listParts(
  menus: readonly PublicMenuEntry[],
  find: (id: string) => PublicProduct | undefined,
): PublicProduct[] {
  const ids = new Set<string>()
  for (const { sections } of menus) {
    for (const { products } of sections) {
      for (const { bundle } of products) {
        for (const { items } of bundle?.groups ?? []) for (const { product } of items) ids.add(product)
      }
    }
  }
  return [...ids].flatMap((id) => find(id) ?? [])
}

/** Replaces items by their products, at the prices of the menu. Leaves out a section if all its products are hidden. */
function toPublicSections(
  { sections, details }: StoredMenu,
  products: ReadonlyMap<string, PublicProduct>,
): PublicSection[] {
  const prices = new Map(details.prices?.map((entry) => [entry.product, entry]))
  const find = (id: string) => {
    const product = products.get(id)
    const entry = prices.get(id)
    return product && entry ? withPrices(product, entry) : (product ?? [])
  }
  return sections.flatMap(({ items, ...section }) => {
    const visible = items.flatMap(find)
    return visible.length > 0 || items.length === 0 ? [{ ...section, products: visible }] : []
  })
}

/** A product at the prices of a menu. A product with sizes has only their prices; a size without one keeps its own. */
function withPrices(
  product: PublicProduct,
  entry: NonNullable<StoredMenu['details']['prices']>[number],
): PublicProduct {
  if (!product.sizes) return entry.price === undefined ? product : { ...product, price: entry.price }
  const prices = new Map(Object.entries(entry.sizes ?? {}))
  return { ...product, sizes: product.sizes.map((size) => ({ ...size, price: prices.get(size.option) ?? size.price })) }
}
