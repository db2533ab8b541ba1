import * as z from 'zod'
import { createContents } from '../../catalogue/resources/details/contents.ts'
import { createDeposit } from '../../catalogue/resources/details/deposit.ts'
import { menuDetails } from '../../catalogue/resources/details/menu-details.ts'
import { modifierDetails } from '../../catalogue/resources/details/modifier-details.ts'
import { productDetails } from '../../catalogue/resources/details/product-details.ts'
import { resources } from '../../catalogue/resources/registry.ts'
import { chargesFields } from '../../catalogue/resources/venue-charges.ts'
import { collectDescriptions, type Descriptions } from '../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { type DescribedResource, inputSchema, responseSchema } from '../../platform/http/openapi/json-schema.ts'
import type { menuData } from './menu-data.ts'

/** The menu of a venue, as a scan of a tag shows it. */
export const menuExample = {
  venue: {
    id: exampleId('mer'),
    name: 'Three Otters',
    timezone: 'Europe/Lisbon',
    currency: 'EUR',
    hoursClose: true,
    direction: 'ltr',
    locale: 'en',
    language: 'en',
  },
  language: 'pt-PT',
  languages: ['pt-PT', 'en'],
  testMode: false,
  tag: { id: exampleId('tag'), metadata: [{ key: 'table', value: '4' }], label: 'Table 4' },
  availableAt: exampleSeconds,
  nextChangeAt: exampleSeconds + 9_000,
  nextMenus: [],
  menus: [
    {
      id: exampleId('menu'),
      title: 'Breakfast',
      showSectionNavigation: true,
      allDayMenu: false,
      begin: '0700',
      end: '1130',
      branding: {},
      sections: [
        {
          id: exampleId('sec'),
          title: 'Coffee',
          type: 'LIST',
          products: [
            {
              id: exampleId('prod'),
              title: 'Flat white',
              price: 3.5,
              calories: 120,
              images: [],
              soldOut: false,
              modifiers: [],
            },
          ],
        },
      ],
    },
  ],
  closedMenus: [
    {
      id: exampleId('menu'),
      title: 'Supper',
      showSectionNavigation: true,
      allDayMenu: false,
      begin: '1900',
      end: '2300',
      branding: {},
      sections: [],
      nextServed: exampleSeconds + 36_000,
    },
  ],
  modifiers: [],
  parts: [],
  truncated: false,
} satisfies z.core.output<typeof menuData>

const prefixed = (path: string, texts: Descriptions): Descriptions =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${path}/${key}`, text]))

/** The descriptions of details. */
const describeDetails = ({ body, view }: { body: DescribedResource['update']; view: z.core.$ZodType }) =>
  collectDescriptions(responseSchema({ update: body }, view))

const productDescriptions: Descriptions = {
  ...describeDetails(productDetails),
  ...collectDescriptions(responseSchema(resources.products, resources.products.view)),
  price: "Price of one unit on this menu, in the merchant's currency.",
  soldOut: 'Whether the product is sold out.',
  modifiers: 'Ids of the modifiers of the product, found in `modifiers`.',
  ...prefixed('sizes/*', collectDescriptions(inputSchema(z.object(createContents('size'))))),
  ...prefixed('sizes/*', collectDescriptions(inputSchema(z.object({ deposit: createDeposit('') })))),
  'sizes/*/deposit': 'Deposit of one unit in this size, added to the price. Absent: that of the product.',
}

const publicMenuEntryDescriptions: Descriptions = {
  ...describeDetails(menuDetails),
  ...collectDescriptions(responseSchema(resources.menus, resources.menus.view)),
  showSectionNavigation: 'Whether customers see a navigation between the sections.',
  allDayMenu: 'Whether the menu is available at all times.',
  begin: "Time when the menu begins, in the venue's time zone: `HHMM`.",
  end: 'Time when the menu ends: `HHMM`. A time before `begin` is on the next day.',
  sections: 'Sections in display order.',
  'sections/*/id': 'Id of the section.',
  'sections/*/products': 'Products of the section, in display order.',
  ...prefixed('sections/*/products/*', productDescriptions),
}

export const publicMenuDescriptions: Descriptions = {
  venue: 'The venue.',
  'venue/id': 'Id of the merchant.',
  'venue/name': 'Name of the venue.',
  'venue/timezone': 'IANA name of the time zone.',
  'venue/currency': 'Currency of the prices: an ISO 4217 code. Absent if not known.',
  'venue/language':
    'Language of the texts of the venue, as a BCP 47 tag: as stated, or detected from their script. Absent if unknown.',
  'venue/notes': 'Notes of the venue, shown at the end of the menu.',
  'venue/direction': 'Writing direction of the language.',
  'venue/locale': 'Format of prices and times: a BCP 47 tag.',
  testMode: 'Whether the menu belongs to test mode.',
  tag: 'The tag that was scanned.',
  'tag/id': 'Id of the tag.',
  'tag/label': 'Label of the tag that guests see.',
  'tag/metadata': 'Metadata of the tag that guests can see.',
  'tag/metadata/*/key': 'Name of the entry.',
  'tag/metadata/*/value': 'Value of the entry.',
  menus: 'Menus that are available at `availableAt`, sorted by position, then by title.',
  ...prefixed('menus/*', publicMenuEntryDescriptions),
  closedMenus: 'All other visible menus that open again, sorted by position, then by title.',
  ...prefixed('closedMenus/*', publicMenuEntryDescriptions),
  ...prefixed('charges/*', collectDescriptions(inputSchema(chargesFields.shape.charges.def.element))),
  nextFrom: 'Value of `from` for the next part of the menu. Absent on the last part.',
  ...prefixed('parts/*', productDescriptions),
  ...prefixed('modifiers/*', {
    ...describeDetails(modifierDetails),
    ...collectDescriptions(responseSchema(resources.modifiers, resources.modifiers.view)),
    'options/*/id': 'Id of the option, unique in the modifier.',
  }),
}
