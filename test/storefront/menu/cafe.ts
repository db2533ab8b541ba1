import { createVenue } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'

/** A café in Lisbon whose menus are open at different times. */
export async function createCafe(merchant: object = {}) {
  const venue = await createVenue({ name: 'Café', timezone: 'Europe/Lisbon', ...merchant })
  const products = await load(venue.post, {
    modifiers: [
      {
        title: 'Milk',
        instructions: 'Which milk?',
        options: [
          { label: 'Whole', preSelected: true },
          { label: 'Oat', additionalCost: 0.4 },
          { label: 'None', additionalCost: -0.5 },
        ],
      },
    ],
    products: [
      {
        title: 'Galão',
        price: 2.4,
        calories: 110,
        description: 'In a tall glass.',
        modifiers: [0],
        sku: 'SKU-SECRET',
        metadata: [{ key: 'supplier', value: 'supplier-secret' }],
      },
      { title: 'Winter stew', price: 14, visible: false },
      { title: 'Toast', price: 1234.5, images: [{ url: 'https://images.example.com/toast.jpg' }] },
      { title: 'Last cake', price: 3, manageStock: true, stockQuantity: 0 },
    ],
    menus: [
      {
        title: 'All day',
        description: 'From first to last.',
        sections: [
          { title: 'Drinks', description: 'Hot ones.', items: [0, 1] },
          { title: 'Winter', items: [1] },
          { title: 'Food', items: [3, 2] },
        ],
      },
      { title: 'Breakfast', begin: '0730', end: '1130', sections: [{ title: 'Eggs', items: [2] }] },
      {
        title: 'Late night',
        begin: '2200',
        end: '0300',
        showSectionNavigation: false,
        sections: [
          { title: 'Bar', items: [0] },
          { title: 'Bites', items: [2] },
        ],
      },
      { title: 'Staff only', visible: false, sections: [{ title: 'Secret', items: [0] }] },
    ],
  })
  return { ...venue, products, page: `/m/${venue.id}`, data: `/m/${venue.id}.json` }
}

export const at = (time: string) => `?at=2026-11-21T${time}:00Z`
export const headings = (page: string) =>
  [...page.matchAll(/<h([1-6])>(?:<bdi>)?(.*?)(?:<\/bdi>)?<\/h\1>/g)].map(([, level, text]) => `${level} ${text}`)
