import { createVenue } from '../../support/api.ts'

/** A venue with a product, a modifier, a menu and a coupon. */
export async function createFilled(home: 'd1' | 'object' = 'd1') {
  const venue = await createVenue({ home })
  const soup = (await venue.post('/products', { title: 'Soup', price: 5 })).body.id
  await venue.post(`/products/${soup}/external-id`, { externalId: 'SOUP' })
  const milk = (
    await venue.post('/modifiers', { title: 'Milk', instructions: '', options: [{ id: 'oat', label: 'Oat' }] })
  ).body.id
  const menu = (await venue.post('/menus', { title: 'Day', sections: [{ title: 'All', items: [soup] }] })).body.id
  const coupon = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body.id
  return { venue, soup, milk, menu, coupon }
}

/** Operations on all objects of `createFilled`, and on new ones that name each other. */
export const autumn = (soup: string, milk: string, menu: string, coupon: string) => [
  {
    op: 'create',
    resource: 'products',
    ref: '#pie',
    body: { title: 'Pie', price: 7, modifiers: ['#sauce', milk] },
    details: { allergens: [{ code: 'gluten', level: 'contains' }], translations: { de: { title: 'Kuchen' } } },
  },
  {
    op: 'create',
    resource: 'modifiers',
    ref: '#sauce',
    body: {
      title: 'Sauce',
      instructions: '',
      options: [
        { id: 'hot', label: 'Hot' },
        { id: 'mild', label: 'Mild' },
      ],
    },
    availability: { options: { mild: { soldOut: true } } },
  },
  {
    op: 'create',
    resource: 'products',
    ref: '#set',
    body: { title: 'Set', price: 11 },
    details: {
      bundle: {
        groups: [{ id: 'main', title: 'Main', min: 1, max: 1, items: [{ product: '#pie' }, { product: soup }] }],
      },
    },
  },
  {
    op: 'update',
    resource: 'products',
    id: soup,
    body: { price: 6 },
    details: { allergens: [{ code: 'celery', level: 'contains' }], translations: { de: { title: 'Suppe' } } },
    availability: { soldOut: true, until: 'tomorrow' },
  },
  {
    op: 'update',
    resource: 'menus',
    id: menu,
    body: { sections: [{ title: 'Autumn', items: ['#pie', '#set', soup] }] },
  },
  { op: 'update', resource: 'coupons', id: coupon, body: { value: 2 }, limits: { automatic: true } },
]
