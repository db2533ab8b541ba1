import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ApiResponse, createVenue, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { toRounds } from '../../support/rounds.ts'
import { inOrder, type Label, type Names, operations, type Planned, scene, toNamed } from './random-operations.ts'

const order = ['modifiers', 'products', 'menus', 'coupons', 'customers', 'tags', 'webhooks']

async function createScene() {
  const venue = await createVenue()
  const ids = new Map<Label, string>()
  for (const { resource, label, body } of scene
    .toReversed()
    .toSorted((a, b) => order.indexOf(a.resource) - order.indexOf(b.resource))) {
    const externalId = resource === 'modifiers' || resource === 'products' ? {} : { externalId: 'TAKEN' }
    const operation = { op: 'create', resource, ...externalId, body: toNamed(body, (name) => ids.get(name)) }
    const { status, body: made } = await venue.post('/batch', { operations: [operation] })
    expect([status, made]).toEqual([200, made])
    ids.set(label, made.results[0].id)
  }
  return { venue, ids }
}

/** One request for each operation. */
async function runOneByOne(planned: readonly Planned[]) {
  const { venue, ids } = await createScene()
  const statuses = new Map<Planned, number>()
  for (const operation of inOrder(planned)) {
    const { op, resource, label, externalId = '', body } = operation
    const json = body && toNamed(body, (name) => ids.get(name) ?? 'prod_unknown')
    const path = `/${resource}`
    const send = async (): Promise<ApiResponse> => {
      if (op === 'delete') return venue.remove(`${path}/${ids.get(label)}`)
      if (op === 'update') return venue.post(`${path}/${ids.get(label)}`, json)
      if (op === 'upsert') return venue.request('PUT', `${path}/external/${encodeURIComponent(externalId)}`, json)
      return venue.post(path, json)
    }
    const response = await send()
    statuses.set(operation, response.status)
    if (response.status < 300 && op !== 'delete') ids.set(label, response.body.id)
  }
  return { venue, ids, statuses: planned.map((operation) => statuses.get(operation)) }
}

async function runAsBatch(planned: readonly Planned[]) {
  const { venue, ids } = await createScene()
  const isPlanned = (label: Label) => planned.some((operation) => operation.label === label)
  const name: Names = (label) => ids.get(label) ?? (isPlanned(label) ? `#${label}` : 'prod_unknown')
  const known = new Map(ids)
  const response = await venue.post('/batch', {
    mode: 'independent',
    operations: planned.map(({ op, resource, label, externalId, body }) => ({
      op,
      resource,
      ...(op === 'create' || op === 'upsert' ? { ref: `#${label}` } : { id: known.get(label) }),
      ...(op === 'upsert' && { externalId }),
      ...(body && op !== 'delete' && { body: toNamed(body, name) }),
    })),
  })
  expect([response.status, response.body]).toEqual([200, response.body])
  const results: { status: number; id?: string }[] = response.body.results
  for (const [index, { id }] of results.entries()) {
    const { label = '', op } = planned[index] ?? {}
    if (id !== undefined && op !== 'delete' && op !== 'update') ids.set(label, id)
  }
  return { venue, ids, statuses: results.map(({ status }) => status) }
}

const tables = ['products', 'modifiers', 'menus', 'coupons', 'customers', 'tags', 'webhooks']
const links = [
  ['product_modifiers', 'products', 'modifiers'],
  ['menu_products', 'menus', 'products'],
  ['coupon_products', 'coupons', 'products'],
]

/** All stored rows of a merchant, with labels instead of ids, without times and random values. */
async function dumpVenue({ id }: Venue, ids: ReadonlyMap<Label, string>) {
  const byId = new Map(Array.from(ids, ([label, object]) => [object, label]))
  const statements = [
    ...tables.map((table) => `select '${table}' as kind, * from ${table} where merchant_id = ?`),
    ...links.map(
      ([link, owner, target]) =>
        `select '${link}' as kind, o.id as owner, t.id as target from ${link} join ${owner} o on o.seq = owner join ${target} t on t.seq = target where o.merchant_id = ?`,
    ),
    `select 'event' as kind, type, version, row, previous, external_id from events where merchant_id = ?`,
    `select 'audit' as kind, operation, object from audit where merchant_id = ? and operation not like '%external%'`,
    `select 'external' as kind, resource, external_id, test_mode from external_ids where merchant_id = ?`,
    `select 'delivery' as kind, e.type, count(*) as count from events e join deliveries d on d.event = e.id where e.merchant_id = ? group by e.type`,
    ...tables.map(
      (table) =>
        `select '${table} terms' as kind, s.id from ${table} s where s.merchant_id = ? and exists (select 1 from ${table}_search f where f.rowid = s.seq)`,
    ),
  ]
  const results = await Promise.all(statements.map((sql) => queryHome(id, sql, id)))
  // Of a webhook, also the state of attempts that are made beside the batch.
  const hidden =
    /"(?:seq|created_at|updated_at|merchant_id|code|code_key|bearer_token|secrets|failures|failing_since|probe_at)":(?:"(?:[^"\\]|\\.)*"|\d+|\[\]|null),?/g
  return results
    .flat()
    .map((row) => {
      const { row: recorded, ...rest } = row
      const shown = { ...rest, ...(typeof recorded === 'string' && { row: JSON.parse(recorded) }) }
      return JSON.stringify(shown)
        .replaceAll(hidden, '')
        .replaceAll(/\b[a-z]+_[0-9a-z]{26}\b/g, (object) => byId.get(object) ?? object.replace(/_.*/, ''))
    })
    .sort()
}

test('a batch does what its operations do one by one', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (planned) => {
      if (planned.length === 0) return
      const [single, batch] = [await runOneByOne(planned), await runAsBatch(planned)]
      expect(batch.statuses).toEqual(single.statuses)
      // A batch delivers its events to the webhooks as they are at its end, single operations as they are at the time.
      const movesWebhooks = planned.some(({ resource, op }) => resource === 'webhooks' && op !== 'create')
      const dump = async ({ venue, ids }: Pick<typeof batch, 'venue' | 'ids'>) =>
        (await dumpVenue(venue, ids)).filter((row) => !(movesWebhooks && row.startsWith('{"kind":"delivery"')))
      const expected = await dump(single)
      expect(expected.length).toBeGreaterThan(scene.length)
      expect(await dump(batch)).toEqual(expected)
    }),
    { seed: 20_261_122, numRuns: toRounds(48), endOnFailure: true, interruptAfterTimeLimit: 90_000 },
  )
})
