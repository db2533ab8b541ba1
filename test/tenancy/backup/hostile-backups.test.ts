import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionDelaySeconds } from '../../../src/admin/delete-closed.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'
import { adminToken, call, createVenue, send } from '../../support/api.ts'
import { type Line, linesOf, zip } from './backup-lines.ts'
import { admin, advance, backUp, fill, finish, read } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The lines with changes of the merchant, and of the first row of a table. */
function forge(
  lines: readonly Line[],
  { merchant = {}, table = '', row = {} }: { merchant?: object; table?: string; row?: object },
) {
  const [header, ...rest] = lines
  const first = rest.findIndex((line) => line.table === table)
  return [
    { ...header, merchant: { ...Object(header?.['merchant']), ...merchant } },
    ...rest.map((line, index) => (index === first ? { ...line, row: { ...line.row, ...row } } : line)),
  ]
}

const forgeries = {
  'pictures that are no JSON': [{ table: 'products', row: { images: 'x' } }, /images of products prod_\w+ is not JSON/],
  'a price that is a text': [{ table: 'products', row: { price: 'free' } }, /price of products/],
  'no name': [{ merchant: { name: null } }, /name of the merchant is missing/],
  'an unknown time zone': [{ merchant: { timezone: 'Mars/Phobos' } }, /time zone "Mars\/Phobos"/],
  'opening hours that are no JSON': [{ merchant: { opening_hours: '[' } }, /opening_hours of the merchant is not JSON/],
  'the code of another coupon': [{ table: 'coupons' }, /two rows of coupons \(.*code_key\)/],
  'the code of another merchant': [{}, /./],
} as const

describe.each(['d1', 'object'] as const)('a hostile backup in the home %s', (home) => {
  test('is rejected with one issue, and the merchant stays as it was', async () => {
    const { venue } = await fill(home)
    const other = await createVenue()
    const { body: tag } = await other.post('/tags', {})
    const { results } = await env.DB.prepare('select name from tag_names where merchant_id = ?').bind(other.id).all()
    const foreign = String(results[0]?.['name'] ?? tag.code)
    const before = await read(venue)
    const takenAt = await backUp(venue.id)
    const lines = await linesOf(venue.id, takenAt)
    for (const [name, [change, reason]] of Object.entries(forgeries)) {
      const codes = lines.flatMap(({ table, row }) => (table === 'coupons' ? [row?.['code_key']] : []))
      const isForeign = name === 'the code of another merchant'
      const forged = forge(
        lines,
        isForeign
          ? { table: 'tag_names', row: { name: foreign } }
          : name.includes('coupon')
            ? { ...change, row: { code_key: codes[1] } }
            : change,
      )
      const expected = isForeign ? new RegExp(`belong to other merchants: ${foreign}`) : reason
      // The file was damaged after it was stored.
      await env.BACKUPS.put(toBackupKey(venue.id, takenAt), await zip(forged))
      const { status, body } = await admin(venue.id, 'restore', { takenAt, replace: true })
      expect([name, status, body.code, body.detail]).toEqual([name, 409, 'conflict', expect.stringMatching(expected)])
      if (isForeign) continue
      const uploaded = await send(`/admin/merchants/${venue.id}/backups/${takenAt - 5}`, {
        method: 'PUT',
        body: await zip(forged),
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/gzip' },
      })
      expect([name, uploaded.status, uploaded.body.detail]).toEqual([name, 409, expect.stringMatching(expected)])
    }
    expect(await read(venue)).toEqual(before)
    await env.BACKUPS.put(toBackupKey(venue.id, takenAt), await zip(lines))
    expect((await admin(venue.id, 'restore', { takenAt })).body.detail).toContain('--replace')
  })

  test('that only the database finds out about ends after three attempts, and the merchant is as it was', async () => {
    const { venue } = await fill(home)
    await venue.post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/a', events: ['product.created'] })
    const takenAt = await backUp(venue.id)
    const forged = forge(await linesOf(venue.id, takenAt), { table: 'products', row: { created_at: 9_999_999_999 } })
    await env.BACKUPS.put(toBackupKey(venue.id, takenAt), await zip(forged))
    await venue.post('/products', { title: 'New word', price: 1 })
    const before = await read(venue)
    advance(1)
    expect((await admin(venue.id, 'restore', { takenAt, replace: true })).body).toMatchObject({ state: 'saving' })
    const faults: string[] = []
    let last: { state?: string; reason?: string; totalRows?: number; waitSeconds?: number } = {}
    for (let requests = 0; last.state !== 'failed'; requests++) {
      expect(requests).toBeLessThan(30)
      const { status, body } = await admin(venue.id, 'restore/continue')
      if (status === 409) faults.push(body.detail)
      else last = body
      advance(last.waitSeconds ?? 0)
    }
    expect(faults).toEqual([expect.stringContaining('products_times'), expect.stringContaining('products_times')])
    expect(last.reason).toContain('products_times')
    expect(await read(venue)).toEqual(before)
    expect((await call('GET', `/admin/merchants/${venue.id}`, adminToken)).body.status).toBe('active')
    // The state is final, and another restore can begin.
    expect((await admin(venue.id, 'restore/continue')).body.state).toBe('failed')
    advance(1)
    const good = await backUp(venue.id)
    await admin(venue.id, 'restore', { takenAt: good, replace: true })
    expect((await finish(venue.id)).state).toBe('done')
  })

  test('brings nothing of a deleted merchant back', async () => {
    const { venue } = await fill(home)
    const takenAt = await backUp(venue.id)
    const forged = forge(await linesOf(venue.id, takenAt), { table: 'products', row: { created_at: 9_999_999_999 } })
    await env.BACKUPS.put(toBackupKey(venue.id, takenAt), await zip(forged))
    const remove = async () => {
      advance(86_400 + deletionDelaySeconds)
      for (let run = 0; run < 5; run++)
        await deleteClosedMerchants(env, directoryDatabase(env), Math.floor(Date.now() / 1000))
      expect((await call('GET', `/admin/merchants/${venue.id}`, adminToken)).status).toBe(404)
    }
    await admin(venue.id, 'close', { graceDays: 1 })
    await remove()
    await admin(venue.id, 'restore', { takenAt })
    let state = ''
    for (let requests = 0; state !== 'failed'; requests++) {
      expect(requests).toBeLessThan(30)
      state = (await admin(venue.id, 'restore/continue')).body.state ?? ''
    }
    await remove()
  })
})
