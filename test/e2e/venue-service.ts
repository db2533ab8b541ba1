import * as z from 'zod'
import { connectService } from './shared-service.ts'

const text = z.string().default('')
/** Parts of a response that tests read. A missing field is empty. */
const answered = z.looseObject({ id: text, url: text, key: text })

/** The shared service, as tests of pages use it: with merchants of their own. */
export async function createVenueService() {
  const { origin, adminToken, call } = await connectService()

  async function post(path: string, token: string, json: unknown) {
    const { status, body } = await call('POST', path, token, json)
    return { status, body: answered.parse(body) }
  }

  return {
    origin,
    /** A merchant, and calls relative to its path that carry a key of its own. */
    async createVenue(merchant: object, mode: 'live' | 'test' = 'live') {
      const { id } = (await post('/admin/merchants', adminToken, merchant)).body
      const { key } = (await post(`/admin/merchants/${id}/keys`, adminToken, { mode })).body
      return {
        id,
        key,
        page: `${origin}/m/${id}`,
        post: (path: string, json: unknown) => post(`/merchants/${id}${path}`, key, json),
      }
    },
  }
}
export type VenueService = Awaited<ReturnType<typeof createVenueService>>
