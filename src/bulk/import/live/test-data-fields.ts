import * as z from 'zod/mini'

/** The body of a request for test data. */
export const testDataFields = z.strictObject({
  from: z.enum(['live']).check(z.describe('Source of the data: the catalogue of live mode.')),
})
