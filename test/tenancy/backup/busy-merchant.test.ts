import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeBackup } from '../../../src/tenancy/backup/store-backup.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { multiply, watch } from '../../support/d1.ts'
import { linesOf } from './backup-lines.ts'
import { backUp, read, restore } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const coupon = (code: string) => ({ title: 'Ten', code, type: 'FIXED', value: 10 })

/** Whether the writers go on, and the callbacks that wait for their next change. */
interface Traffic {
  isOver: boolean
  waiting: (() => void)[]
}

function proceed(traffic: Traffic) {
  for (const resolve of traffic.waiting.splice(0)) resolve()
}
function end(traffic: Traffic) {
  traffic.isOver = true
  proceed(traffic)
}

/** Statements that read pages of the rows that clients change, or of the log of changes. */
const slowed = /cross join "(?:coupons|events|products)"|"backup_changes"/

/** Bindings whose database calls of such statements wait until a client has changed something. */
function slowDown(traffic: Traffic) {
  let calls = 0
  const { database, watchObjects } = watch(env.DB, async (statements) => {
    if (!slowed.test(statements.join())) return
    calls++
    if (!traffic.isOver) await new Promise<void>((resolve) => traffic.waiting.push(resolve))
  })
  return { bindings: { ...env, DB: database, HOMES: watchObjects(env.HOMES) }, count: () => calls }
}

/** Passes a code to and fro between two coupons, of which a backup reads one on its first page and one on its last. Counts the changes. */
async function swap(venue: Venue, code: string, ids: readonly [string, string], traffic: Traffic) {
  const update = async (id: string, to: string) => {
    const { status, body } = await venue.post(`/coupons/${id}`, { code: to })
    expect([status, body.detail]).toEqual([200, undefined])
    proceed(traffic)
  }
  let changes = 0
  for (let [from, to] = ids; !traffic.isOver; [from, to] = [to, from]) {
    await update(from, `${code}-FREE-${changes}`)
    await update(to, code)
    changes += 2
  }
  return changes
}

test.each(['d1', 'object'] as const)(
  'a backup is one snapshot while six clients swap the codes of coupons, and is restored (%s)',
  async (home) => {
    const venue = await createVenue({ home })
    const late: string[] = []
    for (let client = 0; client < 6; client++) late.push((await venue.post('/coupons', coupon(`L-${client}`))).body.id)
    const [first = ''] = late
    await multiply('coupons', first, 1_100)
    const early = (await venue.get('/coupons?limit=6&order=asc')).body.map(({ id }: { id: string }) => id)
    for (const [client, id] of early.entries()) await venue.post(`/coupons/${id}`, { code: `CODE-${client}` })

    const traffic: Traffic = { isOver: false, waiting: [] }
    const clients = late.map((id, client) =>
      swap(venue, `CODE-${client}`, [early[client], id], traffic).catch((error: unknown) => {
        end(traffic)
        throw error
      }),
    )
    const { bindings, count } = slowDown(traffic)
    const rounds = 1
    const takeAll = async () => {
      for (let round = 1; round <= rounds; round++) expect(await storeBackup(bindings, venue.id, round)).toBeDefined()
    }
    const [, ...changes] = await Promise.all([takeAll().finally(() => end(traffic)), ...clients])
    expect(count()).toBeGreaterThanOrEqual(6)
    expect(Math.min(...changes)).toBeGreaterThan(0)

    for (let round = 1; round <= rounds; round++) {
      const lines = await linesOf(venue.id, round)
      const rowsOf = (table: string) => lines.flatMap((line) => (line.table === table && line.row ? [line.row] : []))
      const coupons = rowsOf('coupons')
      expect([round, coupons.length, new Set(coupons.map((row) => row['code_key'])).size]).toEqual([
        round,
        1_106,
        1_106,
      ])
      // A change and its event are one transaction: a snapshot has both or neither.
      const codes = new Map<unknown, unknown>()
      for (const { row } of rowsOf('events').sort((a, b) => Number(a['seq']) - Number(b['seq']))) {
        const { id, code } = JSON.parse(String(row))
        codes.set(id, code)
      }
      const changed = coupons.filter(({ id }) => [...early, ...late].includes(id))
      expect(changed.map(({ id, code }) => [id, code])).toEqual(changed.map(({ id }) => [id, codes.get(id)]))
      const counts = Object.fromEntries(
        Map.groupBy(lines.slice(1, -1), ({ table }) => table ?? '')
          .entries()
          .map(([table, rows]) => [table, rows.length]),
      )
      expect(lines.at(-1)).toEqual({ end: { counts } })
    }
    await backUp(venue.id)
    expect((await restore(venue.id, rounds)).omitted).toEqual({})
    const restored = await read(venue)
    expect(restored['/coupons?include=externalId,version']).toContain('CODE-0')
  },
  100_000,
)
