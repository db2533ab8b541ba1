import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'
import { adminToken, call } from '../../support/api.ts'
import { linesOf, zip } from './backup-lines.ts'
import { backUp, fill, restore } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-27T03:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Columns of merchants that a release before closed days did not have. */
const later = ['hours_close', 'closures', 'special_hours']

test.each(['d1', 'object'] as const)(
  'a backup from before venues could close leaves them open outside their hours, in the home %s',
  async (home) => {
    const { venue } = await fill(home)
    const settings = `/admin/merchants/${venue.id}`
    const hours = { openingHours: [{ days: ['mon'], opens: '0900', closes: '1000' }], timezone: 'UTC' }
    expect((await call('POST', settings, adminToken, { ...hours, hoursClose: true })).body.hoursClose).toBe(true)
    const [{ id: product }] = (await venue.get('/products')).body
    const isClosed = async () =>
      (await venue.post('/quotes', { items: [{ product, quantity: 1 }] })).body.issues
        .map(({ code }: { code: string }) => code)
        .includes('closed')
    expect(await isClosed()).toBe(true)
    const takenAt = await backUp(venue.id)
    const [header, ...lines] = await linesOf(venue.id, takenAt)
    const merchant = Object.fromEntries(
      Object.entries(Object(header?.['merchant'])).filter(([name]) => !later.includes(name)),
    )
    expect(Object.keys(Object(header?.['merchant']))).toEqual(expect.arrayContaining(later))
    await env.BACKUPS.put(toBackupKey(venue.id, takenAt), await zip([{ ...header, merchant }, ...lines]))
    await restore(venue.id, takenAt)
    const { body } = await call('GET', settings, adminToken)
    expect([body.hoursClose, body.openingHours]).toEqual([false, hours.openingHours])
    expect(await isClosed()).toBe(false)
  },
)

test('a setting that a backup does not have yet gets its default, whatever the merchant has now', async () => {
  const { venue } = await fill('d1')
  const columns = await env.DB.prepare(
    `select name, "notnull" as required, dflt_value as usual from pragma_table_info('merchants')`,
  ).all<{
    name: string
    required: number
    usual: string | null
  }>()
  const settings = columns.results.filter(
    ({ name, required, usual }) => (required === 0 || usual !== null) && !/_at$|^deletes_at$/.test(name),
  )
  expect(settings.length).toBeGreaterThan(15)
  const takenAt = await backUp(venue.id)
  const [header, ...lines] = await linesOf(venue.id, takenAt)
  const names = new Set(settings.map(({ name }) => name))
  const merchant = Object.fromEntries(Object.entries(Object(header?.['merchant'])).filter(([name]) => !names.has(name)))
  await env.BACKUPS.put(toBackupKey(venue.id, takenAt), await zip([{ ...header, merchant }, ...lines]))
  const changed = {
    ...{ currency: 'CHF', orderingUrl: 'https://a.example', pricesIncludeTax: false, taxRate: 7, taxRounding: 'line' },
    ...{
      taxRates: { takeaway: 3 },
      cashRounding: 0.05,
      language: 'de',
      color: '#102030',
      theme: 'bar',
      publishBy: 'other',
      phone: '+41 44 1',
      website: 'https://b.example',
      destinationHosts: ['c.example'],
    },
    ...{ notes: [{ text: 'Cash only' }], closures: [{ from: '2026-12-25', until: '2026-12-26' }], hoursClose: true },
  }
  expect((await call('POST', `/admin/merchants/${venue.id}`, adminToken, changed)).status).toBe(200)
  await restore(venue.id, takenAt)
  // SQLite compares each value with the default of its column.
  const compared = settings.map(({ name, usual }) => `"${name}" is ${usual ?? 'null'} as "${name}"`).join(', ')
  const row = await env.DB.prepare(`select ${compared} from merchants where id = ?`).bind(venue.id).first()
  expect(Object.entries(row ?? {}).filter(([, isUsual]) => isUsual !== 1)).toEqual([])
})
