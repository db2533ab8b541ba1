import type * as z from 'zod'
import type { menuData } from '../../../../src/storefront/menu/menu-data.ts'
import { exampleId, exampleSeconds } from '../../examples.ts'

/** The menu of a venue, as a scan of a tag shows it. */
export const menuExample = {
  venue: {
    id: exampleId('mer'),
    name: 'Three Otters',
    timezone: 'Europe/Lisbon',
    currency: 'EUR',
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
  truncated: false,
} satisfies z.core.output<typeof menuData>
