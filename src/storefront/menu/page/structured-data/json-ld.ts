import type { Diet } from '../../../../catalogue/resources/details/food-codes.ts'
import type { Weekday } from '../../../../platform/lib/opening-hours.ts'
import type { MenuPart } from '../../menu-part.ts'
import type { PublicMenu, PublicProduct } from '../../public-menu.ts'
import { isShownPicture } from '../../shown-pictures.ts'
import { listSpecialHours, toTime } from './special-hours.ts'

/** JSON without `<`: in a name, `</script>` would end the element early, and `<!--` would keep it open. */
const toSafeJson = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c')
/** Serializes an object with one more field: a list whose items are JSON already. */
const withList = (value: object, name: string, items: readonly string[]) =>
  `${toSafeJson(value).slice(0, -1)},"${name}":[${items.join()}]}`

/** Weekdays of schema.org. */
const dayTypes: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

/** The menus as JSON-LD with the types of schema.org, safe inside a `script` element. */
export function toJsonLd(
  { venue, language, availableAt }: PublicMenu,
  menus: readonly MenuPart<{ jsonLd: string }>[],
  origin: string | undefined,
): string {
  const items = menus.map(({ menu: { title: name, description }, sections }) =>
    withList(
      { '@type': 'Menu', name, description, inLanguage: language },
      'hasMenuSection',
      sections.map(({ section: { title: name, description }, pieces }) =>
        withList(
          { '@type': 'MenuSection', name, description },
          'hasMenuItem',
          pieces.map(({ jsonLd }) => jsonLd),
        ),
      ),
    ),
  )
  const { name, logo, phone, website, address, openingHours } = venue
  const place = {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    name,
    logo: isShownPicture(logo, origin) ? logo : undefined,
    telephone: phone,
    url: website,
    address: address && {
      '@type': 'PostalAddress',
      streetAddress: address.street,
      postalCode: address.postalCode,
      addressLocality: address.city,
      addressRegion: address.region,
      addressCountry: address.country,
    },
    openingHoursSpecification: openingHours?.map(({ days, opens, closes }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: days.map((day) => `https://schema.org/${dayTypes[day]}`),
      opens: toTime(opens),
      closes: toTime(closes),
    })),
    specialOpeningHoursSpecification: listSpecialHours({ venue, availableAt }),
  }
  return withList(place, 'hasMenu', items)
}

/** Diets of schema.org. */
const dietTypes: Readonly<Record<Diet, string>> = {
  vegan: 'VeganDiet',
  vegetarian: 'VegetarianDiet',
  halal: 'HalalDiet',
  kosher: 'KosherDiet',
  gluten_free: 'GlutenFreeDiet',
  lactose_free: 'LowLactoseDiet',
}

/** The nutrition declaration; without one, the energy of the product. */
function toNutrition(calories: number | undefined, nutrition: PublicProduct['nutrition']) {
  if (!nutrition)
    return calories === undefined ? undefined : { '@type': 'NutritionInformation', calories: `${calories} calories` }
  const {
    basis,
    energyKcal = basis === 'portion' ? calories : undefined,
    fat,
    saturates,
    carbohydrate,
    sugars,
    protein,
  } = nutrition
  const grams = (value: number | undefined) => (value === undefined ? undefined : `${value} g`)
  return {
    '@type': 'NutritionInformation',
    servingSize: basis === 'portion' ? undefined : basis,
    calories: energyKcal === undefined ? undefined : `${energyKcal} calories`,
    fatContent: grams(fat),
    saturatedFatContent: grams(saturates),
    carbohydrateContent: grams(carbohydrate),
    sugarContent: grams(sugars),
    proteinContent: grams(protein),
  }
}

/** An offer. Omitted without a currency, because the price would have no meaning. */
function toOffer(price: number, currency: string | undefined, soldOut: boolean, name?: string) {
  if (currency === undefined && !soldOut) return undefined
  return {
    '@type': 'Offer',
    name,
    price: currency === undefined ? undefined : price,
    priceCurrency: currency,
    availability: soldOut ? 'https://schema.org/SoldOut' : undefined,
  }
}

/** One offer for each size, from the lowest price. Without sizes, the offer of the product, at the price of its unit. */
function toOffers({ price, sizes, soldBy, soldOut }: PublicProduct, currency: string | undefined) {
  const offer = toOffer(price, currency, soldOut)
  if (!sizes)
    return offer && soldBy && currency !== undefined
      ? { ...offer, ...toUnitPrice(price, currency, soldBy.unit) }
      : offer
  const offers = sizes.flatMap((size) => toOffer(size.price, currency, soldOut || size.soldOut, size.label) ?? [])
  if (offers.length === 0 || currency === undefined) return offer
  const lowPrice = Math.min(...sizes.map((size) => size.price))
  return { '@type': 'AggregateOffer', lowPrice, priceCurrency: currency, offerCount: offers.length, offers }
}

/** Units of schema.org (UN/CEFACT). */
const unitCodes = { kg: 'KGM', '100g': 'GRM', l: 'LTR' } as const
const toUnitPrice = (price: number, priceCurrency: string, unit: keyof typeof unitCodes) => ({
  price: undefined,
  priceCurrency: undefined,
  priceSpecification: {
    '@type': 'UnitPriceSpecification',
    ...{ price, priceCurrency },
    referenceQuantity: { '@type': 'QuantitativeValue', value: unit === '100g' ? 100 : 1, unitCode: unitCodes[unit] },
  },
})

/** A product as JSON-LD. `diets` are those that it suits whatever is chosen: structured data cannot express exceptions. */
export function toJsonLdItem(
  product: PublicProduct,
  diets: readonly Diet[],
  currency: string | undefined,
  origin: string | undefined,
): string {
  const {
    title,
    description,
    calories,
    images: [image],
    nutrition,
  } = product
  return toSafeJson({
    '@type': 'MenuItem',
    name: title,
    description,
    image: isShownPicture(image?.url, origin) ? image?.url : undefined,
    nutrition: toNutrition(calories, nutrition),
    suitableForDiet: diets.length > 0 ? diets.map((diet) => `https://schema.org/${dietTypes[diet]}`) : undefined,
    offers: toOffers(product, currency),
  })
}
