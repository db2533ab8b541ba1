import * as z from 'zod/mini'
import { toTagTitle } from '../pages/tag-label.ts'
import { detectMenuLocale } from './menu-locale.ts'
import { getByteLength, maxDataBytes, reservedBytes, takePart } from './menu-part.ts'
import { listShownMenus, type PublicMenu, type PublicModifier, type PublicProduct, publicMenu } from './public-menu.ts'

/** A menu as JSON. Adds the venue's locale, the tag's label and the position of the next part. */
export const menuData = z.extend(publicMenu, {
  venue: z.extend(publicMenu.shape.venue, {
    direction: z.enum(['ltr', 'rtl']),
    locale: z.string(),
  }),
  tag: z.optional(z.extend(publicMenu.shape.tag.def.innerType, { label: z.string() })),
  nextFrom: z.optional(z.int()),
})
type MenuData = z.output<typeof menuData>

/** Bytes of the brackets and names of lists inside an object. */
const listBytes = 20
const getJsonBytes = (value: object) => getByteLength(JSON.stringify(value)) + 1

/** Collects the modifiers of products, each once. */
function createModifierList(menu: PublicMenu) {
  const modifiersById = new Map(menu.modifiers.map((modifier) => [modifier.id, modifier]))
  const modifiers = new Map<string, PublicModifier>()
  let isAnyLeftOut = false

  /** A product and its size with the modifiers that it adds to the list. `accept` adds them. */
  function render(product: PublicProduct, bytesLeft: number, isFirst: boolean) {
    let bytes = getJsonBytes(product)
    const added: PublicModifier[] = []
    let leftOut = 0
    for (const id of product.modifiers) {
      const modifier = modifiers.has(id) ? undefined : modifiersById.get(id)
      if (!modifier) continue
      const modifierBytes = getJsonBytes(modifier)
      // The first product of a part must fit, so modifiers beyond the budget are left out.
      if (isFirst && bytes + modifierBytes > bytesLeft) leftOut++
      else {
        bytes += modifierBytes
        added.push(modifier)
      }
    }
    const accept = () => {
      for (const modifier of added) modifiers.set(modifier.id, modifier)
      isAnyLeftOut ||= leftOut > 0
    }
    return { piece: product, bytes, accept }
  }
  return { render, getModifiers: () => [...modifiers.values()], isAnyLeftOut: () => isAnyLeftOut }
}

/** The part of a menu that begins at `from` and fits into `maxDataBytes`. */
export function toMenuData(menu: PublicMenu, from: number): MenuData {
  const { venue, tag, ...rest } = menu
  const { language, direction, locale } = detectMenuLocale(menu, undefined)
  const { render, getModifiers, isAnyLeftOut } = createModifierList(menu)
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
    tag: tag && { ...tag, label: toTagTitle(tag.metadata) },
    ...rest,
    language,
    menus: shown.filter(({ nextServed }) => nextServed === undefined),
    closedMenus: shown.flatMap(({ nextServed, ...menu }) =>
      nextServed === undefined ? [] : [{ ...menu, nextServed }],
    ),
    modifiers: getModifiers(),
    truncated: menu.truncated || isAnyLeftOut(),
    nextFrom: part.nextFrom,
  }
}
