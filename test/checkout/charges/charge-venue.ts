import { createKey, createVenue } from '../../support/api.ts'

type Mode = 'live' | 'test'

/** A key of a merchant that may change its charges. */
export const createManager = (merchantId: string, mode: Mode = 'live') =>
  createKey(merchantId, { mode, scopes: ['merchant:write'] })

/** A venue with a key for objects and quotes, and one for charges. */
export async function createChargeVenue(fields: { mode?: Mode; [field: string]: unknown } = {}) {
  const venue = await createVenue(fields)
  return { ...venue, manager: await createManager(venue.id, fields.mode) }
}
