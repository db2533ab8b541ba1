import type { Offer, OfferedProduct, OfferedSection } from './offer.ts'

/** The menus as schema.org has them, for machines that read pages: JSON-LD, safe inside a `script` element. */
export function structured({ venue, menus }: Offer): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'FoodEstablishment',
    name: venue.name,
    hasMenu: menus.map(({ title, description, sections }) => ({
      '@type': 'Menu',
      name: title,
      description,
      hasMenuSection: sections.map((section) => sectionOf(section, venue.currency)),
    })),
  }
  // `</script>` and `<!--` would end the element, or keep it from ending, wherever they stand in a name.
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

const sectionOf = ({ title, description, products }: OfferedSection, currency: string | undefined) => ({
  '@type': 'MenuSection',
  name: title,
  description,
  hasMenuItem: products.map((product) => itemOf(product, currency)),
})

const itemOf = (
  { title, description, price, calories, images: [image], soldOut }: OfferedProduct,
  currency: string | undefined,
) => ({
  '@type': 'MenuItem',
  name: title,
  description,
  image: image?.url,
  nutrition: calories === undefined ? undefined : { '@type': 'NutritionInformation', calories: `${calories} calories` },
  offers: {
    '@type': 'Offer',
    price,
    priceCurrency: currency,
    availability: soldOut ? 'https://schema.org/SoldOut' : undefined,
  },
})
