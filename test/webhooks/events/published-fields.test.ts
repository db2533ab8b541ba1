import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { planUpdate } from '../../../src/catalogue/resource/plan.ts'
import { createRowMapping } from '../../../src/catalogue/resource/row-mapping.ts'
import { resourceList, resources } from '../../../src/catalogue/resources/registry.ts'
import { sqlName } from '../../../src/platform/db/sql-name.ts'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'
import { storeBackup } from '../../../src/tenancy/backup/store-backup.ts'
import { adminToken, call } from '../../support/api.ts'
import { importFile, jsonl, toJsonLines } from '../../support/imports.ts'
import {
  findIn,
  markInternalColumns,
  nextNumber,
  readSecrets,
  reorderJson,
  type Secret,
} from '../../support/marked-columns.ts'
import { routes } from '../../support/routes.ts'
import { samples } from '../../support/samples.ts'
import { tables } from '../../support/tables.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** Columns of other tables that lists show. All others are searched, those of a later release too. */
const listed: Readonly<Record<string, readonly string[]>> = {
  keys: ['id', 'merchantId', 'title', 'scopes', 'last4', 'testMode', 'createdAt', 'expiresAt', 'lastUsedAt'],
  sessions: ['id', 'merchantId', 'keyId', 'userId', 'createdAt', 'lastUsedAt', 'userAgent'],
  invitations: ['id', 'merchantId', 'role', 'createdBy', 'createdAt', 'expiresAt'],
}
/** Gives row numbers that no text contains by chance: those that follow that of a first object. */
async function raiseRowNumbers({ query, venue, post }: WebhookHarness) {
  for (const { collection, body } of samples) {
    if (collection === 'webhooks') continue
    await post(`/${collection}`, body('Anchor'))
    if (collection === 'tags')
      await query(`delete from tag_names where tag in (select seq from tags where merchant_id = ?)`, venue.id)
    await query(`update ${collection} set seq = ? where merchant_id = ?`, nextNumber(), venue.id)
  }
  await query(`update sqlite_sequence set seq = seq + ? where name = 'webhooks'`, nextNumber())
}

/** Changes of objects that have no title. */
const otherText: Readonly<Record<string, object>> = { customers: { firstName: 'Other' }, tags: { nfc: false } }

/** Changes an object in all ways that there are, first in ways that change nothing. Returns the number of events of each step. */
async function changeInAllWays(harness: WebhookHarness, collection: string, id: string, same: object, change: object) {
  const { post, venue } = harness
  const put = (body: object) => harness.request('PUT', harness.path(`/${collection}/external/${collection}-1`), body)
  const batch = (body: object) => post('/batch', { operations: [{ op: 'update', resource: collection, id, body }] })
  const importer = { ...venue, post: harness.post, get: harness.get }
  const file = (object: object) =>
    importFile(
      importer,
      'match=externalId',
      toJsonLines([{ resource: collection, externalId: `${collection}-1`, object }]),
      jsonl,
    )
  const counts: number[] = []
  for (const body of [same, change]) {
    const ways = [() => post(`/${collection}/${id}`, body), () => put(body), () => batch(body), () => file(body)]
    for (const way of ways) {
      const before = (await harness.events()).length
      await way()
      counts.push((await harness.events()).length - before)
      if (body === change) await put(same)
    }
  }
  return counts
}

const base = { id: 'wh_1', testMode: false, createdAt: 1, updatedAt: 1 }

describe.each(['d1', 'object'] as const)('with data in %s', (home) => {
  test('secrets and internal columns leave in nothing that is sent, stored for sending, logged, listed or backed up', async () => {
    const logged: string[] = []
    for (const level of ['error', 'log', 'info', 'warn'] as const)
      vi.spyOn(console, level).mockImplementation((...texts) => void logged.push(texts.join(' ')))
    const harness = await createWebhookHarness(home === 'object' ? { home } : {})
    const { post, get, venue, query } = harness
    await raiseRowNumbers(harness)
    // The endpoint rejects every other event and returns what it gets: the body is stored, and the log has it.
    const receiver = await harness.createWebhook()
    harness.endpoint = ({ text }, number) => new Response(text, { status: number % 2 ? 500 : 200 })
    const product = (await post('/products', { title: 'Tea', price: 1 })).body.id
    const modifier = (await post('/modifiers', { title: 'Milk', instructions: '' })).body.id

    const secrets: Secret[] = []
    const ids: Record<string, string> = {}
    const bodies: Record<string, object> = {}
    const internalOf: Record<string, string[]> = {}
    for (const { table, published, path } of resourceList) {
      const sample = samples.find(({ collection }) => collection === path) ?? expect.unreachable()
      const { testMode: _, ...same } = sample.full({ product, modifier })
      const { body } = await harness.request('PUT', harness.path(`/${path}/external/${path}-1`), same)
      ids[path] = body.id
      // As it is shown, with the ids of its parts.
      const shown = (await get(`/${path}/${body.id}`)).body
      bodies[path] = Object.fromEntries(Object.keys(same).map((key) => [key, shown[key]]))
      internalOf[path] = ['seq', ...(await markInternalColumns(harness, table, body.id, published))]
    }
    const hook = ids['webhooks']
    const first = (await get(`/webhooks/${hook}/secret`)).body.secret
    for (const secret of ['secret', 'token'])
      expect((await post(`/webhooks/${hook}/${secret}/rotate`)).status).toBe(200)
    const current = (await get(`/webhooks/${hook}/secret`)).body.secret
    for (const [path, keys] of Object.entries(internalOf)) secrets.push(...(await readSecrets(harness, path, keys)))
    expect(secrets.map(({ value }) => value)).toEqual(expect.arrayContaining([first, current]))

    for (const { path, table } of resourceList) {
      await reorderJson(harness, table, ids[path] ?? '')
      const counts = await changeInAllWays(
        harness,
        path,
        ids[path] ?? '',
        bodies[path] ?? {},
        otherText[path] ?? { title: 'Other' },
      )
      expect([path, counts]).toEqual([path, [0, 0, 0, 0, 1, 1, 1, 1]])
    }
    await post(`/products/${product}/details`, { translations: { de: { title: 'Tee' } } })
    await post('/redemptions', { code: (await get(`/coupons/${ids['coupons']}`)).body.code, order: 'A-1', amount: 100 })
    await post('/invitations', { role: 'staff' })
    await call('POST', '/console/session', undefined, { key: venue.key }, { 'sec-fetch-site': 'same-origin' })
    await post(`/webhooks/${hook}/test`)
    await harness.deliver()
    expect(harness.calls.length).toBeGreaterThan(20)

    for (const [table, shown] of Object.entries(listed)) {
      const columns = getTableColumns(tables.find((one) => getTableName(one) === table) ?? expect.unreachable())
      const keys = Object.keys(columns).filter((key) => !shown.includes(key))
      const { results } = await env.DB.prepare(`select * from ${table} where merchant_id = ?`).bind(venue.id).all()
      for (const row of results)
        for (const key of keys) secrets.push({ column: `${table}.${key}`, value: String(row[sqlName(key)]) })
    }

    // Data that is sent, or stored for sending.
    const own = secrets.filter(({ value }) => value !== String(receiver.bearerToken))
    expect(findIn(own, harness.calls.map(({ text }) => text).join('\n'))).toEqual([])
    const events = await harness.events()
    expect(events.filter(({ payload }) => payload !== null).length).toBeGreaterThan(0)
    expect(
      findIn(secrets, JSON.stringify(events.map(({ row, previous, payload }) => [row, previous, payload]))),
    ).toEqual([])
    const deliveries = await query('select attempts from deliveries')
    expect(findIn(secrets, JSON.stringify(deliveries))).toEqual([])
    for (const table of ['audit', 'import_issues'])
      expect(findIn(secrets, JSON.stringify(await query(`select * from ${table}`)))).toEqual([])

    // Listed: every address below the merchant, for a key and for the operator.
    const paths = [...new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))]
    const shown: string[] = []
    for (const path of paths.filter((path) => /^\/(admin\/)?merchants\/:merchantId/.test(path))) {
      const collection = path.split('/:merchantId/')[1]?.split('/')[0] ?? ''
      const address = path
        .replace(':merchantId', venue.id)
        .replace(':id', ids[collection] ?? 'none')
        .replace(':externalId', `${collection}-1`)
      if (/[:*]/.test(address)) continue
      const { body } = await call('GET', address, path.startsWith('/admin') ? adminToken : venue.key)
      for (const column of findIn(secrets, JSON.stringify(body))) shown.push(`${path} ${column}`)
    }
    expect([...new Set(shown)].sort()).toEqual([
      // Both are shown on request to those who may change the webhook.
      '/merchants/:merchantId/webhooks/:id webhooks.bearerToken',
      '/merchants/:merchantId/webhooks/:id/secret webhooks.secrets',
      '/merchants/:merchantId/webhooks/external/:externalId webhooks.bearerToken',
    ])
    expect(findIn(secrets, logged.join('\n'))).toEqual([])

    // A backup keeps what a restore needs: rows, and the current secret.
    const { takenAt = 0 } = (await storeBackup(env, venue.id, Math.floor(Date.now() / 1000))) ?? {}
    const file = await env.BACKUPS.get(toBackupKey(venue.id, takenAt))
    const text = await new Response(file?.body.pipeThrough(new DecompressionStream('gzip'))).text()
    expect([text.includes(current), text.includes(first)]).toEqual([true, false])
  })
})

test('an update that changes hidden fields records the old values of published fields only', () => {
  const { webhooks } = resources
  const hidden = { bearerToken: 'changed', secrets: [{ secret: 'changed' }] }
  const complete = (draft: object) => ({ ...draft, ...hidden })
  const mapping = createRowMapping({ ...webhooks, hooks: { ...webhooks.hooks, complete } })
  const item = {
    ...base,
    title: 'Till',
    url: 'https://pos.example.com/',
    events: [],
    active: true,
    bearerToken: 'token',
    secrets: [],
  }
  const context = {
    scope: { merchantId: 'mer_1', testMode: false },
    validationContext: { allowInsecureWebhooks: false, ownHosts: [] },
    nowSeconds: 2,
  }
  const plan = planUpdate(mapping, context, { id: base.id, item, version: 1 }, { patch: { title: 'Bar' }, issues: [] })
  const { change } = plan.kind === 'changed' ? plan : expect.unreachable()
  expect([[...change.changed].sort(), change.previous]).toEqual([
    ['bearerToken', 'secrets', 'title', 'updatedAt'],
    { title: 'Till' },
  ])
})
