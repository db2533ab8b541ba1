import { exports } from 'cloudflare:workers'
import { origin, type Venue } from '../../support/api.ts'

/** The bytes of a PDF. Other responses are read as text. */
export async function download(venue: Venue, search = '') {
  const address = new URL(venue.path(`/tags/sheet.pdf${search}`), origin)
  const response = await exports.default.fetch(address, { headers: { authorization: `Bearer ${venue.key}` } })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Creates a tag. */
export const create = async (venue: Venue, metadata: object[], more: object = {}) =>
  (await venue.post('/tags', { metadata, ...more })).body
