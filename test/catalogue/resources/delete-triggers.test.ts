import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { eventNames, getEventResource } from '../../../src/catalogue/events/event-types.ts'
import type { ResourceDefinition } from '../../../src/catalogue/resource/definition.ts'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'
import { detailedPaths } from '../../../src/platform/names.ts'
import { customerEvents } from '../../../src/tenancy/people/person-events.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { dump } from '../../support/d1.ts'
import { type Sample, samples } from '../../support/samples.ts'
import { tables } from '../../support/tables.ts'

const definitions: readonly ResourceDefinition[] = resourceList
const sideTables = tables
  .filter((table) => 'resource' in getTableColumns(table) && 'object' in getTableColumns(table))
  .map(getTableName)

test('the resources with details are those of the list from which migrations make triggers', () => {
  const detailed = resourceList.filter((resource) => 'details' in resource && resource.details)
  expect(detailed.map(({ path }) => path).sort()).toEqual([...detailedPaths].sort())
  expect(sideTables.sort()).toEqual(['details', 'external_ids', 'translations'])
})

test('an erasure redacts all events of the resource of customers', () => {
  const ofCustomers = eventNames.filter((type) => getEventResource(type) === 'customer')
  expect(customerEvents).toEqual(ofCustomers.filter((type) => type !== 'customer.erased'))
  expect(customerEvents.length).toBeGreaterThan(2)
})

const marker = 'Qzmarker'
/** Text with the marker in it wherever a field takes one, else the sample's value. */
async function createMarked(venue: Venue, { collection, full }: Sample, named: { product: string; modifier: string }) {
  const body = { ...full(named) }
  for (const [key, value] of Object.entries(body)) {
    const marked = [
      ...(typeof value === 'string' ? [`${marker} ${key}`, `${marker}@example.com`, `${marker}1`] : []),
      ...(Array.isArray(value) && value.every((each) => typeof each === 'object') && value.length > 0
        ? [
            value.map((each) => ({
              ...each,
              ...('value' in each && { value: marker }),
              ...('label' in each && { label: marker }),
            })),
          ]
        : []),
    ]
    if (marked.length === 0) continue
    const operations = marked.map((candidate) => ({
      op: 'create',
      resource: collection,
      body: { ...body, [key]: candidate },
    }))
    const { body: result } = await venue.post('/batch?dryRun=true', { mode: 'independent', operations })
    const fitting = (result.results ?? []).findIndex(({ status }: { status: number }) => status === 201)
    if (fitting >= 0) body[key] = marked[fitting]
  }
  const { body: created, status } = await venue.post(`/${collection}`, body)
  expect(status).toBe(201)
  return created
}

/** Writes the marker into every side resource that takes one. */
async function markSides(venue: Venue, collection: string, id: string) {
  const statuses = [await venue.request('POST', `/${collection}/${id}/external-id`, { externalId: `${marker}-1` })]
  const { details } = definitions.find(({ path }) => path === collection) ?? {}
  if ('translations' in Object(Object((await details?.load())?.body.schema)['shape'] ?? {})) {
    statuses.push(await venue.post(`/${collection}/${id}/details`, { translations: { fr: { title: `${marker} fr` } } }))
  }
  if (collection === 'products') {
    statuses.push(
      await venue.post(`/products/${id}/details`, { ageLimit: 77, allergens: [{ code: 'milk', level: 'contains' }] }),
    )
    statuses.push(await venue.post(`/products/${id}/availability`, { soldOut: true }))
  }
  if (collection === 'menus') statuses.push(await venue.post(`/menus/${id}/details`, { position: 77 }))
  if (collection === 'coupons') statuses.push(await venue.post(`/coupons/${id}/limits`, { maxRedemptions: 77 }))
  expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 200))
}

const sidesOf = async (venue: Venue, collection: string, id: string) => {
  const paths = ['?include=externalId', '/details', '/limits', '/availability']
  const all = await Promise.all(paths.map((path) => venue.get(`/${collection}/${id}${path}`)))
  return all.filter(({ status }) => status === 200).map(({ body }) => body)
}

describe.each(samples.map((sample) => [sample.name, sample] as const))('a deleted %s', (_, sample) => {
  test('leaves nothing to the next one with its row number', async () => {
    const venue = await createVenue()
    const named = {
      product: (await venue.post('/products', { title: 'Tea', price: 1 })).body.id,
      modifier: (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id,
    }
    const { id } = await createMarked(venue, sample, named)
    const { collection } = sample
    await markSides(venue, collection, id)
    const seqOf = async (object: string) =>
      (await env.DB.prepare(`select seq from ${collection} where id = ?`).bind(object).first<{ seq: number }>())?.seq
    const seq = await seqOf(id)
    expect(JSON.stringify([await sidesOf(venue, collection, id)])).toMatch(/Qzmarker/)
    const isErased = sample.name === 'customer'
    const removed = isErased
      ? await venue.post(`/${collection}/${id}/erase`, undefined)
      : await venue.remove(`/${collection}/${id}`)
    expect(removed.status).toBe(200)
    for (const table of sideTables) {
      const left = await env.DB.prepare(`select * from ${table} where resource = ? and object = ?`)
        .bind(collection, seq)
        .all()
      expect(left.results, table).toEqual([])
    }
    const { body: next } = await venue.post(`/${collection}`, sample.body('Next'))
    // Deliveries name webhooks by their row numbers, which are not used again.
    expect(await seqOf(next.id)).toBe(collection === 'webhooks' ? Number(seq) + 1 : seq)
    const shown = JSON.stringify(await sidesOf(venue, collection, next.id))
    expect(shown).toContain('Next')
    expect(shown).not.toMatch(/Qzmarker|:77\b/)
    const tablesLeft: [string, { merchant_id?: string }[]][] = JSON.parse(await dump())
    // Deleted data stays in events for 30 days. Erased data does not stay anywhere.
    const log = isErased ? [] : ['events', 'deliveries', 'idempotency_keys', 'audit']
    const isOwn = ({ merchant_id: merchant }: { merchant_id?: string }) =>
      merchant === undefined || merchant === venue.id
    const found = tablesLeft.filter(
      ([table, rows]) => !log.includes(table) && JSON.stringify(rows.filter(isOwn)).includes(marker),
    )
    expect(found.map(([table]) => table)).toEqual([])
  })
})
