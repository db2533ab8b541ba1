import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { failureLimits } from '../../../src/bulk/import/import-limits.ts'
import { importStatements } from '../../../src/bulk/import/statements/import-statements.ts'
import { createVenue } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'
import { setLimits } from '../../support/limits.ts'
import { countFailures, createFailingQueue, passSeconds, setFailures, stopClock } from './failing-imports.ts'
import { retrieve, rows } from './import-queue.ts'

beforeEach(stopClock)

/** An import of three products that is to be applied. Round trips with such statements throw the error while `fault.isOn`. */
async function createWatched(pattern: RegExp, message: string) {
  const fault = { isOn: false }
  const { database } = watch(env.DB, (statements) => {
    if (fault.isOn && statements.some((sql) => pattern.test(sql))) throw new Error(message)
  })
  const venue = await createVenue()
  const failing = createFailingQueue(venue, { DB: database })
  const id = await failing.upload('resource=products', rows(3))
  await failing.check(id)
  await failing.apply(id)
  return { venue, id, fault, ...failing }
}

test.each([
  ['the database', /./],
  ['all writes', /^\s*(?:insert|update|delete)/i],
])('an outage of %s counts no failure', async (_, pattern) => {
  setLimits(failureLimits, { count: 3 })
  const { venue, id, fault, passMinutes } = await createWatched(pattern, 'D1_ERROR: unknown')
  fault.isOn = true
  await passMinutes(6)
  expect(await countFailures(venue, id)).toBe(0)
  fault.isOn = false
  await passMinutes(1)
  expect(await retrieve(venue, id)).toMatchObject({ state: 'done', applied: 3, failed: 0 })
})

const productWrite = /insert into "products"/

describe('an outage that only the step meets neither counts nor rejects a row, even where rows are given up', () => {
  test.each([
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
    'D1_ERROR: D1 DB reset because its code was updated.',
    "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
    'D1_ERROR: internal error; reference = 0123456789',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    'D1_ERROR: Failed to parse body as JSON, got: error code: 1101',
    'D1_ERROR: database is locked: SQLITE_BUSY',
    'Durable Object is overloaded. Requests queued for too long.',
    'no response within 10000 ms',
    'D1_ERROR: no such column: details_state: SQLITE_ERROR',
    'D1_ERROR: UNIQUE constraint failed: products.merchant_id: SQLITE_CONSTRAINT',
  ])('%s', async (message) => {
    const { venue, id, fault, passMinutes } = await createWatched(productWrite, message)
    fault.isOn = true
    await passMinutes(1)
    expect(await countFailures(venue, id)).toBe(0)
    await setFailures(venue, id, failureLimits.count)
    await passMinutes(2)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'applying', applied: 0, failed: 0 })
    fault.isOn = false
    await passMinutes(1)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'done', applied: 3, failed: 0 })
  })
})

test('failures are counted once a minute, however often the message comes', async () => {
  const { venue, id, fault, consume } = await createWatched(productWrite, 'D1_ERROR: unknown')
  fault.isOn = true
  const counts: unknown[] = []
  for (const seconds of [0, failureLimits.intervalSeconds - 1, 1, 0]) {
    passSeconds(seconds)
    await Promise.all([consume(id), consume(id)])
    counts.push(await countFailures(venue, id))
  }
  expect(counts).toEqual([1, 1, 2, 2])
})

test('an error of D1 that is not an outage counts, and rejects rows only while it lasts', async () => {
  setLimits(failureLimits, { count: 3 })
  const [lasting, ending] = [
    await createWatched(productWrite, 'D1_ERROR: unknown'),
    await createWatched(productWrite, 'D1_ERROR: unknown'),
  ]
  for (const each of [lasting, ending]) {
    each.fault.isOn = true
    await each.passMinutes(3)
    expect(await retrieve(each.venue, each.id)).toMatchObject({ state: 'applying', applied: 0, failed: 0 })
    each.fault.isOn = each === lasting
    await each.passMinutes(1)
  }
  expect(await retrieve(lasting.venue, lasting.id)).toMatchObject({ state: 'done', applied: 0, failed: 3 })
  expect(await retrieve(ending.venue, ending.id)).toMatchObject({ state: 'done', applied: 3, failed: 0 })
})

test('an import that is cancelled while it is stopped stays cancelled', async () => {
  const [venue, { sql: stop }] = [await createVenue(), importStatements.fail()]
  let id = ''
  const { database } = watch(env.DB, async (statements) => {
    if (statements.some((sql) => sql === importStatements.finishApply().sql)) throw new Error('D1_ERROR: unknown')
    if (statements.includes(stop)) await venue.post(`/imports/${id}/cancel`, undefined)
  })
  const { upload, check, apply, consume } = createFailingQueue(venue, { DB: database })
  id = await upload('resource=products', rows(3))
  await check(id)
  await apply(id)
  await consume(id)
  expect(await retrieve(venue, id)).toMatchObject({ state: 'applying', applied: 3 })
  await setFailures(venue, id, failureLimits.count)
  await consume(id)
  expect(await retrieve(venue, id)).toMatchObject({ state: 'cancelled', applied: 3 })
  expect((await venue.get(`/imports/${id}/errors`)).body).toEqual([])
})
