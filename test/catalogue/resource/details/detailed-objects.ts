import { beforeAll } from 'vitest'
import { createVenue, type Venue } from '../../../support/api.ts'

/** The merchant of the test file, created by `useVenue`. */
export let venue: Venue
export const useVenue = () =>
  beforeAll(async () => {
    venue = await createVenue()
  })
export const create = async (path: string, body: object): Promise<string> =>
  (await venue.post(`/${path}`, body)).body.id
export const createProduct = (title = 'Tea') => create('products', { title, price: 2 })
export const toDetailsPath = (id: string) => `/products/${id}/details`

export const full = {
  allergens: [
    { code: 'milk', level: 'contains' },
    { code: 'nuts', level: 'may_contain' },
  ],
  diets: ['vegetarian'],
  alcoholByVolume: 4.5,
  ageLimit: 18,
  nutrition: { basis: '100g', energyKcal: 250, fat: 1.5 },
  translations: { de: { title: 'Tee' }, fr: { title: 'Thé', description: 'Chaud' } },
}
