import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionDelaySeconds } from '../../../src/admin/delete-closed.ts'
import { clearCredentialCaches } from '../../../src/platform/auth/sessions.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'
import { adminToken, call } from '../../support/api.ts'
import { linesOf, zip } from './backup-lines.ts'
import { admin, advance, backUp, fill, restore } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-27T03:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Rewrites a backup as one of a release without some columns of merchants. */
async function withoutColumns(id: string, takenAt: number, names: readonly string[]) {
  const [header, ...lines] = await linesOf(id, takenAt)
  const entries = Object.entries(Object(header?.['merchant']))
  expect(entries.map(([name]) => name)).toEqual(expect.arrayContaining([...names]))
  const merchant = Object.fromEntries(entries.filter(([name]) => !names.includes(name)))
  await env.BACKUPS.put(toBackupKey(id, takenAt), await zip([{ ...header, merchant }, ...lines]))
}

/** Columns of merchants that a release before closed days did not have. */
const later = ['hours_close', 'closures', 'special_hours']

test.each(['d1', 'object'] as const)(
  'a backup from before venues could close keeps them closed outside the hours that it has, in the home %s',
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
    const takenAt = await backUp(venue.id)
    await withoutColumns(venue.id, takenAt, later)
    await call('POST', settings, adminToken, { openingHours: [{ days: ['fri'], opens: '0000', closes: '2400' }] })
    expect(await isClosed()).toBe(false)
    expect((await restore(venue.id, takenAt)).keptSettings).toEqual(['hoursClose'])
    const { body } = await call('GET', settings, adminToken)
    expect([body.hoursClose, body.openingHours]).toEqual([true, hours.openingHours])
    expect(await isClosed()).toBe(true)
  },
)

test('a setting that a backup does not have yet stays as the merchant has it now, and a deleted merchant gets its default', async () => {
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
  await withoutColumns(
    venue.id,
    takenAt,
    settings.map(({ name }) => name),
  )
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
  // Only the venue sets it, not the operator.
  await env.DB.prepare(`update merchants set support_access = 'off' where id = ?`).bind(venue.id).run()
  const read = () => env.DB.prepare('select * from merchants where id = ?').bind(venue.id).first()
  const { updated_at: _before, ...before } = (await read()) ?? {}
  const { keptSettings } = await restore(venue.id, takenAt)
  expect(keptSettings).toEqual(expect.arrayContaining([...Object.keys(changed), 'supportAccess']))
  const { updated_at: _after, ...after } = (await read()) ?? {}
  expect(after).toEqual(before)
  const stored = await call('GET', `/admin/merchants/${venue.id}/restore`, adminToken)
  expect(stored.body).not.toHaveProperty('keptSettings')

  await admin(venue.id, 'close', { graceDays: 1 })
  advance(86_400 + deletionDelaySeconds)
  for (let run = 0; run < 5 && (await read()) !== null; run++)
    await deleteClosedMerchants(env, directoryDatabase(env), Math.floor(Date.now() / 1000))
  expect(await read()).toBeNull()
  clearCredentialCaches()
  expect(await restore(venue.id, takenAt, {})).not.toHaveProperty('keptSettings')
  // SQLite compares each value with the default of its column.
  const compared = settings.map(({ name, usual }) => `"${name}" is ${usual ?? 'null'} as "${name}"`).join(', ')
  const row = await env.DB.prepare(`select ${compared} from merchants where id = ?`).bind(venue.id).first()
  expect(Object.entries(row ?? {}).filter(([, isUsual]) => isUsual !== 1)).toEqual([])
})
