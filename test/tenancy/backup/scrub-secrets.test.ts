import { createExecutionContext, createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import worker from '../../../src/index.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'
import { enqueueScrubs } from '../../../src/tenancy/backup/scrub-backups.ts'
import { storeBackup } from '../../../src/tenancy/backup/store-backup.ts'
import { findObject, ringAlarm } from '../../support/home.ts'
import { createWebhookHarness, now, type WebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const [oldSecret, newSecret] = [`whsec_${'o'.repeat(32)}`, `whsec_${'n'.repeat(32)}`]

/** Secrets of a webhook, the first of them replaced some seconds ago. */
const secretsSince = (seconds: number) =>
  JSON.stringify([{ secret: newSecret }, { retiredAt: now() - seconds, secret: oldSecret }])

/** Data that an earlier release stored when a webhook was updated after a rotation, and an endpoint that echoed it. */
async function storeLeak({ query, venue }: WebhookHarness, hook: string, seconds: number) {
  const previous = JSON.stringify({ title: 'Till', secrets: [{ secret: oldSecret }] })
  const payload = JSON.stringify({ type: 'webhook.updated', previous: JSON.parse(previous) })
  const of = `merchant_id = ? and type = 'webhook.updated'`
  await query(`update events set previous = ?, payload = ? where ${of}`, previous, payload, venue.id)
  const attempts = JSON.stringify([
    { number: 1, at: 1, status: 500, durationMs: 1, response: payload },
    { number: 2, at: 2, status: 500, durationMs: 1, response: 'busy' },
  ])
  await query(
    `update deliveries set attempts = ? where event in (select id from events where ${of})`,
    attempts,
    venue.id,
  )
  await query('update webhooks set secrets = ? where id = ?', secretsSince(seconds), hook)
}

/** A venue as an earlier release left it. */
async function createLeakyVenue(home: 'd1' | 'object', seconds: number) {
  const harness = await createWebhookHarness(home === 'object' ? { home } : {})
  const { id } = await harness.createWebhook()
  await harness.post(`/webhooks/${id}`, { title: 'Kitchen' })
  await harness.deliver()
  await storeLeak(harness, id, seconds)
  return { harness, id }
}

/** Lines of the log with a message. */
function watchLog() {
  const logs = (['info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  )
  return (message: string) =>
    logs
      .flatMap((log) => log.mock.calls)
      .map(([line]) => JSON.parse(String(line)))
      .filter((line) => line.message === message)
}

const dumpTables = async ({ query }: WebhookHarness) =>
  JSON.stringify(
    await Promise.all(['events', 'deliveries', 'webhooks'].map((table) => query(`select * from ${table}`))),
  )

describe.each(['d1', 'object'] as const)('with data in %s', (home) => {
  const sweep = async ({ venue }: WebhookHarness) =>
    (await findObject(venue.id)) ? ringAlarm(venue.id) : runScheduled(env)

  test('secrets that an earlier release recorded are not shown, not sent, and are removed once', async () => {
    const linesOf = watchLog()
    const { harness, id } = await createLeakyVenue(home, 86_400)
    const shown = (await harness.get('/events?types=webhook.updated')).body
    expect(shown.map(({ previous }: { previous: object }) => previous)).toEqual([{ title: 'Till' }])
    harness.clear()
    await harness.post(`/webhooks/${id}/deliveries/${shown[0].id}/retry`)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => [body.previous, body.data.title])).toEqual([[{ title: 'Till' }, 'Kitchen']])

    await sweep(harness)
    expect(linesOf('secrets scrubbed')).toEqual([expect.objectContaining({ events: 1, deliveries: 1, webhooks: 1 })])
    const stored = await dumpTables(harness)
    expect([stored.includes(oldSecret), stored.includes(newSecret), stored.includes('busy')]).toEqual([
      false,
      true,
      true,
    ])
    expect((await harness.get('/events?types=webhook.updated')).body).toEqual(shown)
    await sweep(harness)
    expect(linesOf('secrets scrubbed')).toHaveLength(1)
    expect(linesOf('secrets not scrubbed')).toEqual([])
  })

  test('a secret that still signs stays until its day is over, when an object wakes for it', async () => {
    const { harness, id } = await createLeakyVenue(home, 86_000)
    const readSecrets = async () =>
      (await harness.query('select secrets from webhooks where id = ?', id))[0]?.['secrets']
    const next = await sweep(harness)
    expect(await readSecrets()).toContain(oldSecret)
    if (typeof next === 'number') expect(next).toBeLessThanOrEqual(Date.now() + 400_000)
    await harness.advance(400)
    await sweep(harness)
    expect(await readSecrets()).toBe(JSON.stringify([{ secret: newSecret }]))
  })
})

const readBackup = async (merchantId: string, takenAt: number) => {
  const file = await env.BACKUPS.get(toBackupKey(merchantId, takenAt))
  return { size: file?.size, text: await new Response(file?.body.pipeThrough(new DecompressionStream('gzip'))).text() }
}

/** Passes the messages of a run of the cron to the consumer. Returns their number. */
async function runScrubs() {
  const sent: { body: object }[] = []
  const BACKUP_CHECKS: Bindings['BACKUP_CHECKS'] = Object.assign(Object.create(null), {
    async sendBatch(messages: Iterable<{ body: object }>) {
      sent.push(...messages)
    },
  })
  await enqueueScrubs({ ...env, BACKUP_CHECKS }, directoryDatabase(env), now())
  const messages = sent.map(({ body }) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }))
  if (messages.length > 0) await worker.queue(createMessageBatch('backups', messages), env, createExecutionContext())
  return messages.length
}

describe('a backup', () => {
  test('of this release has no secrets but the current ones, and is not searched', async () => {
    await env.DB.exec('delete from backups')
    const { harness } = await createLeakyVenue('d1', 60)
    await storeBackup(env, harness.venue.id, now())
    const { text } = await readBackup(harness.venue.id, now())
    expect([text.includes(oldSecret), text.includes(newSecret)]).toEqual([false, true])
    expect(await runScrubs()).toBe(0)
  })

  test('of an earlier release is written again once, with all its rows, unless a restore reads it', async () => {
    await env.DB.exec('delete from backups')
    const linesOf = watchLog()
    const { harness, id } = await createLeakyVenue('d1', 60)
    const { venue } = harness
    const takenAt = now()
    await storeBackup(env, venue.id, takenAt)
    const clean = await readBackup(venue.id, takenAt)
    // The file in the format of an earlier release: rows as they are stored.
    const rows = new Map<string, object>()
    for (const table of ['events', 'deliveries', 'webhooks'])
      for (const row of await harness.query(`select * from ${table}`))
        rows.set(`${table} ${row['id'] ?? row['event']}`, row)
    const lines = clean.text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { table, row = {} } = JSON.parse(line)
        const stored = rows.get(`${table} ${row.id ?? row.event}`)
        return `${stored ? JSON.stringify({ table, row: stored }) : line}\n`
      })
    const leaky = new Response(new Response(lines.join('')).body?.pipeThrough(new CompressionStream('gzip')))
    await env.BACKUPS.put(toBackupKey(venue.id, takenAt), await leaky.arrayBuffer())
    expect((await readBackup(venue.id, takenAt)).text.split(oldSecret).length).toBe(5)
    await env.DB.exec('update backups set scrub_at = 0, bytes = 1')

    await env.DB.prepare(
      `insert into restores (merchant_id, taken_at, started_at, state, settled_at, lines, omitted, leased_until) values (?, ?, 1, 'loading', 1, 0, '{}', 0)`,
    )
      .bind(venue.id, takenAt)
      .run()
    expect(await runScrubs()).toBe(1)
    expect((await readBackup(venue.id, takenAt)).text).toContain(oldSecret)
    await env.DB.exec('delete from restores')
    expect(await runScrubs()).toBe(0)
    await harness.advance(3_600)
    expect(await runScrubs()).toBe(1)

    const { text, size } = await readBackup(venue.id, takenAt)
    expect(text).toBe(clean.text)
    expect(linesOf('backup scrubbed')).toEqual([expect.objectContaining({ merchant: venue.id, takenAt, rows: 3 })])
    const { results } = await env.DB.prepare('select bytes, scrub_at from backups').all()
    expect(results).toEqual([{ bytes: size, scrub_at: null }])
    expect(id).toMatch(/^wh_/)
    await harness.advance(3_600)
    expect(await runScrubs()).toBe(0)
  })

  test('that cannot be read is left as it is', async () => {
    await env.DB.exec('delete from backups')
    const linesOf = watchLog()
    await env.DB.exec(`insert into backups (merchant_id, taken_at, bytes, rows) values ('mer_gone', 5, 1, 1)`)
    await env.BACKUPS.put(toBackupKey('mer_gone', 5), 'no gzip')
    expect(await runScrubs()).toBe(1)
    expect(linesOf('backup not scrubbed')).toHaveLength(1)
    await env.DB.exec(`update backups set scrub_at = scrub_at - 3600`)
    expect(await runScrubs()).toBe(0)
  })
})
