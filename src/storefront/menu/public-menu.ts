import * as z from 'zod/mini'
import { contentsView } from '../../catalogue/resources/details/contents.ts'
import { depositView } from '../../catalogue/resources/details/deposit.ts'
import { menuDetails } from '../../catalogue/resources/details/menu-details.ts'
import { modifierDetails } from '../../catalogue/resources/details/modifier-details.ts'
import { productDetails } from '../../catalogue/resources/details/product-details.ts'
import { menus as menuResource } from '../../catalogue/resources/menus.ts'
import { modifiers as modifierResource } from '../../catalogue/resources/modifiers.ts'
import { products as productResource } from '../../catalogue/resources/products.ts'
import { chargeView } from '../../catalogue/resources/venue-charges.ts'
import { hoursView } from '../../catalogue/resources/venue-hours.ts'
import { profileView } from '../../catalogue/resources/venue-profile.ts'
import { untranslatedField } from './catalogue/translate.ts'

/** Fields of a merchant that guests see, as stored. `catalogue.ts` selects their columns. */
export const storedVenue = z.object({
  id: z.string(),
  name: z.string(),
  timezone: z.string(),
  currency: z.optional(z.string()),
  ...profileView,
  ...hoursView,
})
const note = z.omit(profileView.notes.def.innerType.def.element, { translations: true })
/** Fields of a merchant that guests see, in their language. */
export const venue = z.extend(storedVenue, { notes: z.optional(z.array(z.extend(note, untranslatedField))) })

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

/** Details of products that the hosted menu reads. Guests do not see labels, stock keeping units, bar codes and tax rules. */
export const productFood = z.omit(productDetails.view, { translations: true, labels: true })
/** Details of modifiers that the hosted menu reads. */
export const modifierFood = z.omit(modifierDetails.view, { translations: true })

const suits = {
  suits: z
    .optional(z.union([z.boolean(), z.literal('not_stated')]))
    .check(
      z.describe(
        'Whether the choice suits the filters `diet` and `without`. `not_stated`: it does not state what they ask for. Absent: no filter.',
      ),
    ),
}
const soldOut = z.optional(z.boolean()).check(z.describe('Whether the choice is sold out. Absent: it is not.'))

const soldOutUntil = z
  .optional(z.int())
  .check(
    z.describe(
      'First second at which it is available again, in seconds since 1970-01-01 UTC. Absent if it is available, out of stock, or sold out until further notice.',
    ),
  )

const size = z.object({
  modifier: z.string().check(z.describe('Id of the modifier whose options are the sizes.')),
  option: z.string().check(z.describe('Id of the option that is the size.')),
  label: z.string().check(z.describe('Name of the size.')),
  price: z.number().check(z.describe("Price of one unit in this size on this menu, in the merchant's currency.")),
  soldOut: z.boolean().check(z.describe('Whether the size is sold out.')),
  soldOutUntil,
  calories: z.optional(z.number()).check(z.describe('Energy of one unit in this size, in kilocalories.')),
  deposit: depositView,
  ...contentsView,
  ...suits,
})
const group = z.omit(productFood.shape.bundle.def.innerType.shape.groups.def.element, { items: true })
const part = productFood.shape.bundle.def.innerType.shape.groups.def.element.shape.items.def.element

const publicProduct = z.extend(z.extend(storedProduct, z.omit(productFood, { sizes: true, bundle: true }).shape), {
  soldOut: z.boolean(),
  soldOutUntil,
  sizes: z
    .optional(z.array(size))
    .check(
      z.describe(
        'Sizes in the order of their options. Guests choose exactly one; its price replaces that of the product. Contents of a size are added to those of the product.',
      ),
    ),
  bundle: z.optional(
    z.object({
      groups: z.array(z.extend(group, { items: z.array(z.extend(part, { soldOut, ...suits })) })),
    }),
  ),
  choicesMayAddAllergens: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Whether a choice adds an allergen to those that the product states, or states none itself. Absent: no choice does.',
      ),
    ),
  lacksChoices: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Whether choices of the product are missing here, because the catalogue is too large or damaged. Treat what they contain as not stated.',
      ),
    ),
  ...untranslatedField,
})
const publicSection = z.extend(z.omit(storedMenu.shape.sections.def.element, { items: true }), {
  products: z.array(publicProduct),
  ...untranslatedField,
})
const optionFood = modifierFood.shape.options.def.innerType.def.valueType
const publicModifier = z.extend(
  z.extend(storedModifier, z.pick(modifierFood, { min: true, max: true, pricing: true }).shape),
  {
    options: z.array(
      z.extend(storedModifier.shape.options.def.element, {
        ...optionFood.shape,
        sizedCosts: z
          .optional(z.record(z.string(), z.number()))
          .check(
            z.describe('Amounts by the id of the option that is the size. They replace `additionalCost` at that size.'),
          ),
        soldOut,
        soldOutUntil,
        ...suits,
        ...untranslatedField,
      }),
    ),
    ...untranslatedField,
  },
)
/** Details of menus that guests see. */
const { position, days, dates, orderTypes } = menuDetails.view.shape
const publicMenuEntry = z.extend(storedMenu, {
  position,
  days,
  dates,
  orderTypes,
  sections: z.array(publicSection),
  ...untranslatedField,
})
const closedMenu = z.extend(publicMenuEntry, {
  nextServed: z.int().check(z.describe('Time at which the menu is available next, in seconds since 1970-01-01 UTC.')),
})
/** A charge that orders have without choice, as guests see it. */
const publicCharge = z.extend(z.omit(chargeView, { translations: true, optional: true }), untranslatedField)
export type PublicCharge = z.output<typeof publicCharge>
export type PublicProduct = z.output<typeof publicProduct>
export type PublicSection = z.output<typeof publicSection>
export type PublicMenuEntry = z.output<typeof publicMenuEntry>
/** A menu that is open, or closed until `nextServed`. */
export type ShownMenu = PublicMenuEntry & { nextServed?: number | undefined }
export type PublicSize = z.output<typeof size>
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
  closed: z
    .optional(
      z.object({
        opensAt: z
          .optional(z.int())
          .check(
            z.describe(
              'Time at which the venue opens, in seconds since 1970-01-01 UTC. Absent if it does not open again.',
            ),
          ),
        until: z
          .optional(z.string())
          .check(z.describe('Last day of the closure: `YYYY-MM-DD`. Absent outside closures.')),
        title: z.optional(z.string()).check(z.describe('Reason of the closure.')),
      }),
    )
    .check(z.describe('The venue is closed at `availableAt`: by a closure, special hours or its opening hours.')),
  paused: z
    .optional(
      z.object({
        until: z
          .optional(z.int())
          .check(
            z.describe(
              'First second at which the venue takes orders again, in seconds since 1970-01-01 UTC. Absent until the pause is ended.',
            ),
          ),
        message: z.optional(z.string()).check(z.describe('Message of the venue to guests. Absent without a message.')),
      }),
    )
    .check(
      z.describe(
        'The venue takes no orders at `availableAt`. During a pause with an end no menu is served: `nextServed` is not before `until`. During one without an end, menus are listed by their hours. Absent without a pause.',
      ),
    ),
  menus: z.array(publicMenuEntry),
  closedMenus: z.array(closedMenu),
  modifiers: z
    .array(publicModifier)
    .check(z.describe('Modifiers of the products of these menus, and those of their options, each once.')),
  parts: z
    .array(publicProduct)
    .check(z.describe('Products that are parts of bundles on these menus, each once, at their ordinary prices.')),
  charges: z
    .optional(z.array(publicCharge))
    .check(
      z.describe(
        'Charges that orders have without choice: those of their `orderTypes`, from `minGuests` guests on. Absent without any.',
      ),
    ),
  truncated: z.boolean().check(z.describe('Whether the catalogue is too large to be shown completely.')),
})
export type PublicMenu = z.output<typeof publicMenu>

/** All menus in the order of the page: the open ones, then the closed ones. */
export const listShownMenus = ({ menus, closedMenus }: Pick<PublicMenu, 'menus' | 'closedMenus'>): ShownMenu[] => [
  ...menus,
  ...closedMenus,
]
