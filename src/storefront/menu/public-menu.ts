import * as z from 'zod/mini'
import { menuDetails } from '../../catalogue/resources/details/menu-details.ts'
import { productDetails } from '../../catalogue/resources/details/product-details.ts'
import { menus as menuResource } from '../../catalogue/resources/menus.ts'
import { modifiers as modifierResource } from '../../catalogue/resources/modifiers.ts'
import { products as productResource } from '../../catalogue/resources/products.ts'
import { profileView } from '../../catalogue/resources/venue-profile.ts'
import { untranslatedField } from './catalogue/translate.ts'

/** Fields of a merchant that guests see. */
export const venue = z.object({
  id: z.string(),
  name: z.string(),
  timezone: z.string(),
  currency: z.optional(z.string()),
  ...profileView,
})

/** Fields of stored objects that the hosted menu reads. `catalogue.ts` selects their columns. */
export const storedMenu = z.omit(menuResource.item, {
  testMode: true,
  createdAt: true,
  updatedAt: true,
  visible: true,
})
export const storedProduct = z.pick(productResource.item, {
  id: true,
  title: true,
  price: true,
  description: true,
  calories: true,
  images: true,
  modifiers: true,
})
export const storedModifier = z.omit(modifierResource.item, { testMode: true, createdAt: true, updatedAt: true })

/** Details of products that guests see. */
export const productFood = z.omit(productDetails.view, { translations: true })
const publicProduct = z.extend(z.extend(storedProduct, productFood.shape), {
  soldOut: z.boolean(),
  choicesMayAddAllergens: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Whether the product has options, which may add allergens to those that it states. Absent: no options.',
      ),
    ),
  ...untranslatedField,
})
const publicSection = z.extend(z.omit(storedMenu.shape.sections.def.element, { items: true }), {
  products: z.array(publicProduct),
  ...untranslatedField,
})
const publicModifier = z.extend(storedModifier, {
  options: z.array(z.extend(storedModifier.shape.options.def.element, untranslatedField)),
  ...untranslatedField,
})
/** Details of menus that guests see. */
const { position, days, dates } = menuDetails.view.shape
const publicMenuEntry = z.extend(storedMenu, {
  position,
  days,
  dates,
  sections: z.array(publicSection),
  ...untranslatedField,
})
const closedMenu = z.extend(publicMenuEntry, {
  nextServed: z.int().check(z.describe('Time at which the menu is available next, in seconds since 1970-01-01 UTC.')),
})
export type PublicProduct = z.output<typeof publicProduct>
export type PublicSection = z.output<typeof publicSection>
export type PublicMenuEntry = z.output<typeof publicMenuEntry>
/** A menu that is open, or closed until `nextServed`. */
export type ShownMenu = PublicMenuEntry & { nextServed?: number | undefined }
export type PublicModifier = z.output<typeof publicModifier>

/** The menus of a venue at one time. Contains only data that guests may see. */
export const publicMenu = z.object({
  venue,
  language: z
    .optional(z.string())
    .check(
      z.describe('Language of the texts of menus, products and modifiers: a BCP 47 tag. Absent if it is not known.'),
    ),
  languages: z
    .array(z.string())
    .check(z.describe('Languages that `lang` accepts: that of the venue, if it is known, and those of translations.')),
  testMode: z.boolean(),
  tag: z.optional(z.object({ id: z.string(), metadata: z.array(z.object({ key: z.string(), value: z.string() })) })),
  availableAt: z.int().check(z.describe('Time of the menu, in seconds since 1970-01-01 UTC.')),
  nextChangeAt: z
    .optional(z.int())
    .check(
      z.describe(
        'Next time at which a menu opens or closes, in seconds since 1970-01-01 UTC. Absent if the open menus never change.',
      ),
    ),
  nextMenus: z
    .array(z.string())
    .check(z.describe('Titles of the menus that open at `nextChangeAt`. Empty while a menu is open.')),
  menus: z.array(publicMenuEntry),
  closedMenus: z.array(closedMenu),
  modifiers: z.array(publicModifier).check(z.describe('Modifiers of the products of these menus, each once.')),
  truncated: z.boolean().check(z.describe('Whether the catalogue is too large to be shown completely.')),
})
export type PublicMenu = z.output<typeof publicMenu>

/** All menus in the order of the page: the open ones, then the closed ones. */
export const listShownMenus = ({ menus, closedMenus }: Pick<PublicMenu, 'menus' | 'closedMenus'>): ShownMenu[] => [
  ...menus,
  ...closedMenus,
]
