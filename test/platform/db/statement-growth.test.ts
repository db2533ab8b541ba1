import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, expect, test } from 'vitest'
import { findNextDue } from '../../../src/app/home/next-due.ts'
import worker from '../../../src/index.ts'
import { sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import wrangler from '../../../wrangler.toml?raw'
import { adminToken, call, createKey, createVenue, requestListeners, send, type Venue } from '../../support/api.ts'
import { createMember, sameOrigin } from '../../support/authenticator.ts'
import { plansOf } from '../../support/d1.ts'
import { filling } from '../../support/filled.ts'
import { samples } from '../../support/samples.ts'
import { logStatements } from '../../support/statement-log.ts'
import { document } from '../../tools/openapi/openapi-document.ts'
import { makeMemberChanges } from './audited-changes.ts'
import { ofCopies, ofMerchants, settling } from './filled-venue.ts'
import { findReason, grows, ofOperators, sorts, withoutRequest } from './listed-statements.ts'
import { createNamed, type NamedRequest } from './named-requests.ts'

/** Rounds of `filling` that a large venue has: three rows of each table in each. */
const rounds = 100
/** Rows by which a statement may read more: ids and search words are random, and so is the depth of trees of indexes. */
const tolerance = 30
/** Rows that a statement of a venue with 300 rows of each kind reads at most, unless it is listed: a page of objects with all that is theirs. */
const mostOfPage = 1_300

/** Maximum number of rows that each statement has read. */
const most = new Map<string, number>()
const stop = logStatements(({ sql, rowsRead }) => {
  most.set(sql, Math.max(most.get(sql) ?? 0, rowsRead))
})
afterAll(() => stop())

/** Gives rows of every table to a merchant, and makes as many other merchants. */
async function fill(owner: string, from: number) {
  const ofTables = env.DB.prepare(`select name from sqlite_master where type = 'table'`)
  const { results } = await ofTables.all<{ name: string }>()
  const tables = new Set(results.map(({ name }) => name)).difference(ofCopies)
  for (let n = from; n < from + rounds; n++) {
    const statements = filling(tables, n).map((sql) => {
      const [, table = ''] = /into (\w+)/.exec(sql) ?? []
      return ofMerchants.has(table) ? sql : sql.replaceAll(`mer_${n}`, owner)
    })
    await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
  }
  await env.DB.batch(settling.map((sql) => env.DB.prepare(sql)))
  await runCron()
}

async function runCron() {
  const context = createExecutionContext()
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), env)
  await findNextDue(sharedDatabase(env), Date.now())
  await waitOnExecutionContext(context)
}

/** Operations that were requested, as `GET /path`. */
const tried = new Set<string>()
const listener = (method: string, path: string) => tried.add(`${method} ${path.replace(/\?.*/, '')}`)
requestListeners.add(listener)
afterAll(() => requestListeners.delete(listener))

async function sendNamed({ method, path, json, file, token, headers }: NamedRequest, key: string) {
  return send(path, {
    method,
    headers: headers ?? (token === '' ? {} : { authorization: `Bearer ${token ?? key}` }),
    ...(json === undefined ? {} : { body: new Blob([JSON.stringify(json)], { type: 'application/json' }) }),
    ...(file && { body: new Blob([file], { type: 'image/jpeg' }) }),
  })
}

/** Operations that name nothing, and those that delete. */
async function sendOthers(venue: Venue) {
  const { id, path, post, get, request, remove } = venue
  for (const { collection, body } of samples) {
    const made = (await post(`/${collection}`, body('gone'))).body.id
    await remove(`/${collection}/${made}`)
    await request('PUT', `/${collection}/external/gone-${made}`, body('gone too'))
    for (const query of ['q=gone', 'updatedSince=0', 'limit=2', `externalIds=gone-${made}`])
      await get(`/${collection}?${query}`)
    await remove(`/${collection}/external/gone-${made}`)
  }
  const admin = (method: string, target: string, json?: unknown) => call(method, `/admin${target}`, adminToken, json)
  for (const target of ['merchants', 'maintenance', 'metrics', 'failing-webhooks', 'sessions', 'merchants?order=asc'])
    await admin('GET', `/${target}`)
  await admin('POST', '/rebuild-tags', {})
  const [first, second] = [await createKey(id, { mode: 'test' }), await createKey(id, { mode: 'test' })]
  await admin('DELETE', `/merchants/${id}/keys/${first.keyId}`)
  const { body: invitation } = await admin('POST', `/merchants/${id}/invitations`, { role: 'staff' })
  await admin('DELETE', `/merchants/${id}/invitations/${invitation.id}`)
  await admin('DELETE', '/sessions/ses_00000000000000000000000000')
  const owner = await createMember(id)
  const staff = await createMember(id, 'staff')
  const own = (method: string, target: string, json?: unknown) => owner.request(method, target, json)
  const member = (method: string, target: string, json?: unknown) => own(method, path(target), json)
  const { body: invited } = await member('POST', '/invitations', { role: 'staff' })
  await member('DELETE', `/invitations/${invited.id}`)
  await member('DELETE', `/keys/${second.keyId}`)
  await member('DELETE', `/members/${staff.userId}`)
  await own('GET', '/console/memberships')
  await own('GET', '/console/session')
  await own('GET', '/console/notices')
  await member('DELETE', `/sessions/${(await member('GET', '/sessions')).body[0].id}`)
  await own('DELETE', '/console/session')
  await makeMemberChanges(venue, await createVenue())
  await call('POST', '/console/session', undefined, { key: venue.key }, sameOrigin)
  await call('POST', '/console/operator', undefined, { token: adminToken }, sameOrigin)
  for (const target of ['/t?code=ABCD', '/health']) await send(target)
}

const queues = [...wrangler.matchAll(/\[\[queues\.consumers\]\]\nqueue = "([\w-]+)"/g)].map(([, name = '']) => name)

/** A message for each queue, of this venue. */
async function consume(venue: Venue) {
  const { body: product } = await venue.post('/products', { title: 'Sent', price: 1 })
  const { body: tag } = await venue.post('/tags', {})
  const { results: deliveries } = await env.DB.prepare('select * from deliveries order by event desc limit 1').all()
  const [delivery = {}] = deliveries
  const bodies: Record<string, object> = {
    deliveries: { webhook: delivery['webhook'], event: delivery['event'], attempt: 1, merchant: venue.id },
    scans: {
      id: tag.id,
      merchantId: venue.id,
      tag: tag.id,
      scan: `scan_${product.id.slice(5)}`,
      channel: 'qr',
      at: Date.now(),
    },
    backups: { merchant: venue.id },
    moves: { merchant: venue.id },
    imports: { merchant: venue.id, testMode: false, import: 'imp_0' },
  }
  for (const queue of queues) {
    const [name = ''] = queue.split('-')
    const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: bodies[name] ?? {} }
    const context = createExecutionContext()
    await worker.queue(createMessageBatch(queue, [message]), env, context)
    await waitOnExecutionContext(context)
  }
}

/** Requests every operation for a new venue, consumes a message of each queue and runs the cron. Returns what each statement has read. */
async function exercise(own?: number) {
  const { venue, requests } = await createNamed()
  if (own !== undefined) await fill(venue.id, own)
  most.clear()
  await sendOthers(venue)
  await consume(venue)
  for (const request of requests) await sendNamed(request, venue.key)
  await runCron()
  // Queues of the simulator call the consumers as well.
  await scheduler.wait(500)
  return new Map(most)
}

/**
 * Numbers that each statement has read in two passes, as `choose` combines them. How messages of the simulator share batches differs between passes: what one pass
 * alone reads says nothing. A statement that reads rows of another venue does so in both.
 */
async function exerciseTwice(choose: (first: number, second: number) => number, unseen: 'kept' | 'left out') {
  const [first, second] = [await exercise(), await exercise()]
  const both = [...new Set([...first.keys(), ...second.keys()])]
  return new Map(
    both.flatMap((sql) => {
      const [a, b] = [first.get(sql), second.get(sql)]
      if (a !== undefined && b !== undefined) return [[sql, choose(a, b)] as const]
      return unseen === 'kept' ? [[sql, a ?? b ?? 0] as const] : []
    }),
  )
}

const before = await exerciseTwice(Math.max, 'kept')
await env.DB.prepare(
  `insert into merchants (id, name, timezone, currency, created_at, updated_at) values ('mer_large', 'Large', 'UTC', 'EUR', 1, 2)`,
).run()
await fill('mer_large', 1_000)
const besideLarge = await exerciseTwice(Math.min, 'left out')
const large = await exercise(3_000)

test('every operation is requested, and every queue consumed', () => {
  const operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => ['get', 'post', 'put', 'delete', 'patch'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  const toForm = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
  const untried = operations.filter((operation) => ![...tried].some((request) => toForm(operation).test(request)))
  expect(untried.sort()).toEqual(Object.keys(withoutRequest).sort())
  expect(queues).toContain('deliveries')
})

test('a run of the cron with nothing to do reads few rows, whatever is stored', async () => {
  const idle = [
    ...[...settling, `delete from platform_webhooks where seq > 1`, `delete from platform_backlogs`],
    `update deliveries set state = 'delivered'`,
    `update imports set state = 'done'`,
    `update webhooks set secrets = '[]'`,
  ]
  await env.DB.batch(idle.map((sql) => env.DB.prepare(sql)))
  await runCron()
  // Messages that the simulator still delivers are logged beside a run: of three runs, the quietest counts.
  const runs: (readonly [string, number])[][] = []
  for (let run = 0; run < 3; run++) {
    const read: [string, number][] = []
    const end = logStatements(({ sql, rowsRead }) => read.push([sql, rowsRead]))
    await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), env)
    end()
    runs.push(read)
  }
  const sumOf = (read: (readonly [string, number])[]) => read.reduce((sum, [, rows]) => sum + rows, 0)
  const sums = runs.map(sumOf)
  expect(Math.min(...sums), JSON.stringify(runs[sums.indexOf(Math.min(...sums))])).toBeLessThanOrEqual(50)
})

/** A move runs them when its message arrives. They read the schema. */
const isOfTriggers = (sql: string) => /^\s*(?:create|drop) trigger/.test(sql)

test('no statement reads more rows of a venue because another one is large', () => {
  const grown = [...besideLarge].filter(
    ([sql, rows]) => rows > (before.get(sql) ?? 0) + tolerance && !isOfTriggers(sql) && !findReason(ofOperators, sql),
  )
  expect(grown).toEqual([])
})

test('what reads all rows of a large venue is listed', () => {
  const grown = [...large].filter(([, rows]) => rows > mostOfPage).map(([sql, rows]) => ({ sql, rows }))
  expect(grown.filter(({ sql }) => findReason(grows, sql) === undefined)).toEqual([])
})

test('full scans of tables that grow, and sorts, are listed', async () => {
  const ofTables = env.DB.prepare(`select name from sqlite_master where type = 'table'`)
  const { results } = await ofTables.all<{ name: string }>()
  const tables = new Set(results.map(({ name }) => name))
  const read = new Set([...before.keys(), ...besideLarge.keys(), ...large.keys()])
  const all = [...read].filter((sql) => !isOfTriggers(sql))
  const plans = await plansOf(all)
  const found = all.flatMap((sql, index) => {
    const steps = (plans[index] ?? []).filter((step) => {
      const [, table = ''] = /^SCAN (\w+)/.exec(step) ?? []
      return (tables.has(table) && !step.includes('VIRTUAL TABLE')) || step.includes('TEMP B-TREE')
    })
    return steps.length > 0 && findReason(sorts, sql) === undefined ? [{ steps, sql }] : []
  })
  expect(found).toEqual([])
})
