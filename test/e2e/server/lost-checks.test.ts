import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSharedDatabase } from '../../drill/storage.ts'
import { createOwnServer, type OwnServer } from '../../support/own-server.ts'
import { buildClock } from '../../support/shifted-clock.ts'
import { findServer } from '../shared-service.ts'

/** Time within which a sweep finds work again, in milliseconds: two of its minutes, and a start on a busy machine. */
const sweepMs = 180_000
const daySeconds = 86_400
/** Time of the day at which backups are checked, and time after which a check that did not end is repeated, in seconds. */
const [night, repeated] = [3_600 + 60, 31 * 60]
const minuteMs = 60_000
/** Time in which the queue of copies is emptied, in milliseconds. */
const copiedMs = 10_000
const venues = 40
const tags = 60

let folder: string
let program: string
let toVariables: ReturnType<typeof buildClock>
let server: OwnServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checks-'))
  toVariables = buildClock(folder)
  program = await findServer()
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the server on the same data with a clock that is some seconds off. */
async function startAt(shift: number) {
  await server?.kill()
  server = await createOwnServer(program, { RATE_LIMITS: 'off', ...toVariables(shift) }, join(folder, 'data'))
  await server.start()
}

test('backups whose checks were lost are taken half an hour later', { timeout: 3 * sweepMs }, async () => {
  const now = Math.floor(Date.now() / 1000)
  const shift = daySeconds - (now % daySeconds) + night
  await startAt(shift - daySeconds / 2)
  const accounts: string[] = []
  for (let index = 0; index < venues; index++) accounts.push((await server.createAccount()).id)
  await startAt(shift)
  const directory = new DatabaseSync(await findSharedDatabase(server.state), { readOnly: true })
  const enqueued = directory.prepare('select count(*) as n from backup_checks where enqueued_at > 0')
  const taken = directory.prepare('select count(*) as n from backups')
  try {
    await expect.poll(() => enqueued.get()?.['n'], { timeout: sweepMs, interval: 2 }).toBe(venues)
    await server.kill()
    expect(Number(taken.get()?.['n'])).toBeLessThan(venues)
  } finally {
    directory.close()
  }
  await startAt(shift + repeated)
  const countBackups = async () => {
    const counts = await Promise.all(
      accounts.map(async (id) => {
        const { body } = await server.call('GET', `/admin/merchants/${id}/backups`, server.adminToken)
        return body.length > 0
      }),
    )
    return counts.filter(Boolean).length
  }
  await expect.poll(countBackups, { timeout: sweepMs, interval: 1_000 }).toBe(venues)
})

test('codes lead to their last address after their checks were lost', { timeout: 3 * sweepMs }, async () => {
  await startAt(0)
  const { id, key } = await server.createAccount()
  const website = { website: 'https://example.com/' }
  expect((await server.call('POST', `/admin/merchants/${id}`, server.adminToken, website)).status).toBe(200)
  const path = `/merchants/${id}`
  const created = await server.call('POST', `${path}/batch?return=objects`, key, {
    operations: Array.from({ length: tags }, () => ({ op: 'create', resource: 'tags', body: {} })),
  })
  const codes: { id: string; path: string }[] = created.body.results.map(
    ({ object }: { object: Record<string, string> }) => ({
      id: object['id'],
      path: new URL(String(object['url'])).pathname,
    }),
  )
  /** Gives all tags an address in one request, so that the queue writes their copies. */
  const lead = async (to: string) => {
    const operations = codes.map((tag) => ({
      op: 'update',
      resource: 'tags',
      id: tag.id,
      body: {},
      details: { url: to },
    }))
    expect((await server.call('POST', `${path}/batch`, key, { operations })).status).toBe(200)
  }
  const listTargets = async () => {
    const responses = await Promise.all(codes.map((tag) => fetch(server.origin + tag.path, { redirect: 'manual' })))
    const places = responses.map(({ status, headers }) => `${status} ${headers.get('location')?.split('?')[0]}`)
    return [...new Set(places)].toSorted()
  }
  const target = (to: string) => `302 ${to}`
  const [first, second, third] = ['https://example.com/1', 'https://example.com/2', 'https://example.com/3']
  await lead(first)
  await expect.poll(listTargets, { timeout: sweepMs }).toEqual([target(first)])
  await lead(second)
  await startAt(0)
  // Copies are gone: the database decides from the first scan on.
  expect(await listTargets()).toEqual([target(second)])
  // These scans write new copies.
  await wait(copiedMs)
  // Long enough before the next minute, in which copies are compared.
  while (Date.now() % minuteMs > minuteMs / 2) await wait(1_000)
  await lead(third)
  await server.crashes[2]?.()
  expect(await listTargets()).toContain(target(second))
  await expect.poll(listTargets, { timeout: sweepMs, interval: 1_000 }).toEqual([target(third)])
})
