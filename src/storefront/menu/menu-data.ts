import * as z from 'zod/mini'
import { toPageLanguage } from '../pages/messages.ts'
import { toTagTitle } from '../pages/tag-label.ts'
import { isPreSelected } from './food.ts'
import { detectMenuLocale } from './menu-locale.ts'
import { getByteLength, maxDataBytes, reservedBytes, takePart } from './menu-part.ts'
import { listShownMenus, type PublicMenu, type PublicModifier, type PublicProduct, publicMenu } from './public-menu.ts'

/** Parts of a menu whose past is not known. */
export const presentParts = ['venue', 'service', 'charges'] as const

/** A menu as JSON. Adds the venue's locale, the tag's label and the position of the next part. */
export const menuData = z.extend(publicMenu, {
  venue: z.extend(publicMenu.shape.venue, {
    direction: z.enum(['ltr', 'rtl']),
    locale: z.string(),
  }),
  tag: z.optional(z.extend(publicMenu.shape.tag.def.innerType, { label: z.string() })),
  nextFrom: z.optional(z.int()),
  past: z
    .optional(
      z.object({
        at: z
          .int()
          .check(
            z.describe('Menus, products and modifiers are those of the end of this second, since 1970-01-01 UTC.'),
          ),
        present: z
          .array(z.enum(presentParts))
          .check(z.describe('Parts that are those of the present: settings of the venue, pauses and charges.')),
      }),
    )
    .check(z.describe('The catalogue as it was, for a request with a key. Absent for guests.')),
})
type MenuData = z.output<typeof menuData>

/** Bytes of the brackets and names of lists inside an object. */
const listBytes = 20
const getJsonBytes = (value: object) => getByteLength(JSON.stringify(value)) + 1

/** A modifier that does not preselect what does not suit the filter. */
const withoutUnsuited = (modifier: PublicModifier): PublicModifier => ({
  ...modifier,
  options: modifier.options.map((option) =>
    option.preSelected ? { ...option, preSelected: isPreSelected(option) } : option,
  ),
})

/** Collects the parts of bundles and the modifiers of products and of options, each once. */
function createRelatedLists(menu: PublicMenu) {
  const modifiersById = new Map(menu.modifiers.map((modifier) => [modifier.id, withoutUnsuited(modifier)]))
  const partsById = new Map(menu.parts.map((part) => [part.id, part]))
  const modifiers = new Map<string, PublicModifier>()
  const parts = new Map<string, PublicProduct>()
  let isAnyLeftOut = false

  /** A product, the parts of its bundle, and all their modifiers with those of options. */
  function listRelated(product: PublicProduct) {
    const groups = product.bundle?.groups ?? []
    const ids = new Set(groups.flatMap(({ items }) => items.map((item) => item.product)))
    const found = [...ids].flatMap((id) => partsById.get(id) ?? [])
    const direct = new Set([product, ...found].flatMap((each) => each.modifiers))
    const nested = [...direct].flatMap(
      (id) => modifiersById.get(id)?.options.flatMap((each) => each.modifiers ?? []) ?? [],
    )
    return {
      parts: found,
      modifiers: [...new Set([...direct, ...nested])].flatMap((id) => modifiersById.get(id) ?? []),
    }
  }

  /** A product and its size with what it adds to the lists. `accept` adds it. */
  function render(product: PublicProduct, bytesLeft: number, isFirst: boolean) {
    let bytes = getJsonBytes(product)
    const related = listRelated(product)
    let leftOut = 0
    /** Those that are not in a list yet, as far as they fit. The first product of a part must fit, so what is beyond the budget is left out. */
    function take<Item extends { id: string }>(items: readonly Item[], list: ReadonlyMap<string, Item>): Item[] {
      return items.filter((item) => {
        if (list.has(item.id)) return false
        const itemBytes = getJsonBytes(item)
        const fits = !isFirst || bytes + itemBytes <= bytesLeft
        if (fits) bytes += itemBytes
        else leftOut++
        return fits
      })
    }
    const added = { modifiers: take(related.modifiers, modifiers), parts: take(related.parts, parts) }
    const accept = () => {
      for (const modifier of added.modifiers) modifiers.set(modifier.id, modifier)
      for (const part of added.parts) parts.set(part.id, part)
      isAnyLeftOut ||= leftOut > 0
    }
    return { piece: product, bytes, accept }
  }
  return {
    render,
    getLists: () => ({ modifiers: [...modifiers.values()], parts: [...parts.values()] }),
    isAnyLeftOut: () => isAnyLeftOut,
  }
}

/** The part of a menu that begins at `from` and fits into `maxDataBytes`. */
export function toMenuData(menu: PublicMenu, from: number): MenuData {
  const { venue, tag, ...rest } = menu
  const { language, direction, locale } = detectMenuLocale(menu, undefined)
  const { render, getLists, isAnyLeftOut } = createRelatedLists(menu)
  // The response contains a tag's metadata twice: as metadata and as its label.
  const maxBytes = maxDataBytes - reservedBytes - 2 * getJsonBytes(tag ?? {})
  const part = takePart<PublicProduct>(listShownMenus(menu), from, maxBytes, {
    getMenuBytes: ({ sections: _, ...fields }) => getJsonBytes(fields) + listBytes,
    getSectionBytes: ({ products: _, ...fields }) => getJsonBytes(fields) + listBytes,
    render,
  })
  const shown = part.menus.map(({ menu, sections }) => ({
    ...menu,
    sections: sections.map(({ section, pieces }) => ({ ...section, products: pieces })),
  }))
  return {
    // A translation does not reveal the language of the venue.
    venue: {
      ...venue,
      language: venue.language ?? (menu.language === undefined ? language : undefined),
      direction,
      locale,
    },
    tag: tag && { ...tag, label: toTagTitle(tag.metadata, toPageLanguage(language ?? '')) },
    ...rest,
    language,
    menus: shown.filter(({ nextServed }) => nextServed === undefined),
    closedMenus: shown.flatMap(({ nextServed, ...menu }) =>
      nextServed === undefined ? [] : [{ ...menu, nextServed }],
    ),
    ...getLists(),
    truncated: menu.truncated || isAnyLeftOut(),
    nextFrom: part.nextFrom,
  }
}
