import type { MenuPart } from './menu-part.ts'
import type { PublicMenu, PublicProduct } from './public-menu.ts'

/** `</script>` and `<!--` would end the element, or keep it from ending, wherever they stand in a name. */
const safe = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c')
/** An object with one more field, a list whose items are JSON already. */
const withList = (value: object, name: string, items: readonly string[]) =>
  `${safe(value).slice(0, -1)},"${name}":[${items.join()}]}`

/** The menus as schema.org has them, for machines that read pages: JSON-LD, safe inside a `script` element. */
export function toJsonLd({ venue }: PublicMenu, menus: readonly MenuPart<{ item: string }>[]): string {
  const texts = menus.map(({ menu: { title: name, description }, sections }) =>
    withList(
      { '@type': 'Menu', name, description },
      'hasMenuSection',
      sections.map(({ section: { title: name, description }, pieces }) =>
        withList(
          { '@type': 'MenuSection', name, description },
          'hasMenuItem',
          pieces.map(({ item }) => item),
        ),
      ),
    ),
  )
  const place = { '@context': 'https://schema.org', '@type': 'FoodEstablishment', name: venue.name }
  return withList(place, 'hasMenu', texts)
}

/** A product as JSON-LD. */
export const structuredItem = (
  { title, description, price, calories, images: [image], soldOut }: PublicProduct,
  currency: string | undefined,
) =>
  safe({
    '@type': 'MenuItem',
    name: title,
    description,
    image: image?.url,
    nutrition:
      calories === undefined ? undefined : { '@type': 'NutritionInformation', calories: `${calories} calories` },
    offers: {
      '@type': 'Offer',
      price,
      priceCurrency: currency,
      availability: soldOut ? 'https://schema.org/SoldOut' : undefined,
    },
  })
