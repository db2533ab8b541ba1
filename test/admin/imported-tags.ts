import { env } from 'cloudflare:workers'
import { adminToken, call } from '../support/api.ts'
import { createTestWorker } from '../support/test-worker.ts'

/** A function that imports tags of a merchant. */
export const createImport =
  (own: string) =>
  (body: unknown, token: string | undefined = adminToken, merchantId = own) =>
    call('POST', `/admin/merchants/${merchantId}/tags`, token, body)
export const name = (start = 'Table') => `${start}-${crypto.randomUUID().slice(0, 8)}`
/** The address that a scan is redirected to, or the status of another response. */
export const leadsTo = async (path: string) => {
  const { status, headers } = await createTestWorker().fetch(path)
  return headers.get('location') ?? status
}
/** A tag with every imported field. */
export const older = () => ({
  id: name('fXbQ'),
  alias: [name(), name('b_c')],
  metadata: [
    { key: 'table', value: '12', visible: true },
    { key: 'note', value: ' kept exactly ', visible: false },
  ],
  nfc: true,
  testMode: false,
  message: 'Welcome!\nTable 12 🍝',
  documentCollection: 'tables',
  documentId: 'Zr8/äß',
  edited: true,
  qr: false,
  timestamp: { _seconds: 1_577_836_800, _nanoseconds: 123_000_000 },
})
/** Numbers of tags, of their names and of events. */
export const rowsOf = async () => {
  const counts = await env.DB.batch<{ count: number }>(
    ['tags', 'tag_names', 'events'].map((table) => env.DB.prepare(`select count(*) as count from ${table}`)),
  )
  return counts.map(({ results }) => results[0]?.count)
}
