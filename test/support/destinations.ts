import { adminToken, call, createVenue, send, type Venue } from './api.ts'

/** A venue whose tags may lead to three hosts. */
export const openVenue = () =>
  createVenue({
    timezone: 'Europe/Berlin',
    orderingUrl: 'https://order.example/live',
    sandboxUrl: 'https://sandbox.example/test',
    website: 'https://www.otter.example/',
  })

/** Changes fields of the venue. */
export const change = (venue: Venue, fields: object) => call('POST', `/admin/merchants/${venue.id}`, adminToken, fields)

export const createTag = async (venue: Venue, body: object = {}) => {
  const { body: tag } = await venue.post('/tags', body)
  return { id: String(tag.id), code: String(tag.alias[0]) }
}

/** Where a scan of the tag leads. */
export const leadsTo = async ({ code }: { code: string }, query = '', init?: RequestInit) =>
  (await send(`/t/${code}${query}`, init)).headers.get('location')
