import { resolve } from 'node:path'
import { createTestHarness } from 'wrangler'
import * as z from 'zod'

const adminToken = 'e2e-admin-token'

const text = z.string().default('')
/** What tests read of an answer; a field that it does not have is empty. */
const answered = z.looseObject({ id: text, url: text, key: text })

/** The Worker as `wrangler` builds and runs it, with local D1, KV and queues of its own. */
export async function createSite() {
  const server = createTestHarness({
    root: resolve(import.meta.dirname, '../..'),
    workers: [
      {
        configPath: 'wrangler.toml',
        vars: { ADMIN_TOKEN: adminToken, ALLOW_INSECURE_WEBHOOKS: '1' },
      },
    ],
  })
  const { url } = await server.listen()
  await server.getWorker().applyD1Migrations('DB')
  const { origin } = url

  async function call(path: string, token: string, json: unknown) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(json) })
    return { status: response.status, body: answered.parse(await response.json()) }
  }

  return {
    origin,
    /** A merchant, and calls relative to its path that carry a key of its own. */
    async createVenue(merchant: object, mode: 'live' | 'test' = 'live') {
      const { id } = (await call('/admin/merchants', adminToken, merchant)).body
      const { key } = (await call(`/admin/merchants/${id}/keys`, adminToken, { mode })).body
      return {
        id,
        page: `${origin}/m/${id}`,
        post: (path: string, json: unknown) => call(`/merchants/${id}${path}`, key, json),
      }
    },
    close: () => server.close(),
  }
}
export type Site = Awaited<ReturnType<typeof createSite>>
