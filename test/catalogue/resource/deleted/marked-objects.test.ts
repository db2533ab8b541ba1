import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { ResourceDefinition } from '../../../../src/catalogue/resource/definition.ts'
import { listKeptTables } from '../../../../src/catalogue/resource/statements/kept-columns.ts'
import { resourceList } from '../../../../src/catalogue/resources/registry.ts'
import { createVenue, type Venue } from '../../../support/api.ts'
import { allLimits } from '../../../support/coupon-limit-samples.ts'
import { dump } from '../../../support/d1.ts'
import { mark, marker } from '../../../support/marker.ts'
import { pictures } from '../../../support/pictures.ts'
import { purgeNow } from '../../../support/purges.ts'
import { routes } from '../../../support/routes.ts'
import { samples } from '../../../support/samples.ts'

type Row = Record<string, unknown>

/** Tables of what happened, which a deletion and a restore add to. */
const logs = new Set(
  'events,deliveries,audit,change_sets,idempotency_keys,purges,merchant_purges,merchants,api_keys,stock_adjustments'.split(
    ',',
  ),
)
/** Columns with numbers of rows, of versions and of times, which are new after a restore. */
const renewed = /^(?:seq|version|updated_at|at|object|product|modifier|menu|coupon|customer|tag)$/

/** All rows of the venue but those of logs, without numbers that a restore renews. */
async function readRows(venue: Venue): Promise<Record<string, string[]>> {
  const tables: [string, Row[]][] = JSON.parse(await dump())
  const ofVenue = tables
    .filter(([table]) => !logs.has(table))
    .map(([table, rows]) => {
      const own = rows.filter((row) => String(row['merchant_id'] ?? venue.id) === venue.id)
      const texts = own.map((row) =>
        JSON.stringify(Object.entries(row).filter(([key, value]) => !renewed.test(key) || typeof value === 'string')),
      )
      return [table, texts.toSorted()] as const
    })
  return Object.fromEntries(ofVenue)
}

/** Parts of an object that routes show: its own fields, and what is stored beside it. */
const listParts = (path: string) => [
  '',
  ...new Set(
    routes.flatMap(({ method, path: route }) => {
      const [, part] = new RegExp(`^/merchants/:merchantId/${path}/:id(/[a-z-]+)$`).exec(route) ?? []
      return method !== 'GET' || part === undefined || /qr|secret|versions|sheet|events|deliveries|export/.test(part)
        ? []
        : [part]
    }),
  ),
]

async function show(venue: Venue, path: string, id: string): Promise<Row> {
  const parts = listParts(path)
  const read = await Promise.all(parts.map((part) => venue.get(`/${path}/${id}${part}`)))
  return Object.fromEntries(
    read.map(({ status, body }, index) => {
      const { updatedAt: _, ...rest } = Array.isArray(body) ? { list: body } : body
      return [parts[index], status === 200 ? rest : status]
    }),
  )
}

/** Writes a marker into every field of the details that the schema has. */
async function fillDetails(venue: Venue, { path, details }: ResourceDefinition, id: string) {
  if (!details) return
  const { body: rules, references = [], parts } = await details.load()
  const marked = mark(rules.schema)
  const body: Row = typeof marked === 'object' ? { ...marked } : {}
  const naming = new Set([...references.map(({ path: [first] }) => first), ...(parts?.members ?? [])])
  for (let round = 0; round < 5; round++) {
    const { status, body: problem } = await venue.post(`/${path}/${id}/details`, body)
    if (status === 200) return
    const keys: string[] = problem.errors.map(({ pointer }: { pointer: string }) => pointer.split('/')[1])
    if (keys.includes('translations')) body['translations'] = { fr: { title: marker } }
    for (const key of keys.filter((name) => naming.has(name))) delete body[key]
    expect([path, keys.some((key) => naming.has(key) || key === 'translations')]).toEqual([path, true])
  }
}

/** Fills what is stored beside an object, and the places where others name it. */
async function fillBeside(venue: Venue, path: string, id: string) {
  const posts: Record<string, () => Promise<unknown>[]> = {
    products: () => [
      venue.post('/menus', { title: 'Lunch', sections: [{ title: 'All', items: [id] }] }),
      venue.post('/coupons', { title: 'Named', code: marker, type: 'FIXED', value: 1, products: [id] }),
      venue.post(`/products/${id}/availability`, { soldOut: true, until: 4_000_000_000 }),
      venue.raw(`/products/${id}/images`, pictures.jpeg, { 'content-type': 'image/jpeg' }),
    ],
    modifiers: () => [
      venue.post('/products', { title: 'Latte', price: 1, modifiers: [id] }),
      venue.post(`/modifiers/${id}/availability`, { options: { oat: { soldOut: true, until: 4_000_000_000 } } }),
    ],
    coupons: () => [
      venue.post(`/coupons/${id}/limits`, allLimits),
      venue.post(`/coupons/${id}/codes`, { count: 3, prefix: marker }, { 'idempotency-key': crypto.randomUUID() }),
    ],
  }
  await Promise.all(posts[path]?.() ?? [])
}

const restorable: readonly ResourceDefinition[] = resourceList.filter(({ isRestorable }) => isRestorable)

describe.each(restorable.map((resource) => [resource.path, resource] as const))(
  'a filled object of %s',
  (path, resource) => {
    test.each(['d1', 'object'] as const)(
      'returns with every row and every part that it had, in a home of the kind %s',
      async (home) => {
        const venue = await createVenue({ home, orderingUrl: 'https://order.example/' })
        const product = (await venue.post('/products', { title: 'Tea', price: 1 })).body.id
        const modifier = (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
        const sample = samples.find(({ collection }) => collection === path)
        // Rules for the number of options in the details exclude those of the modifier.
        const { rules: _rules, type: _type, ...full } = sample?.full({ product, modifier }) ?? {}
        const named = {
          ...full,
          ...(path === 'coupons' && { type: _type }),
          ...(path === 'tags' && { testMode: false }),
        }
        const { status, body: made } = await venue.request('PUT', `/${path}/external/${marker}`, named)
        expect([path, status]).toEqual([path, 201])
        const { id } = made
        await fillDetails(venue, resource, id)
        await fillBeside(venue, path, id)
        const before = await show(venue, path, id)
        const rows = await readRows(venue)
        if (home === 'd1') {
          const isTranslated = String(JSON.stringify(before['/details'])).includes('translations')
          const empty = listKeptTables(resource).filter(({ table }) => {
            const name = getTableName(table)
            return rows[name]?.length === 0 && (name !== 'translations' || isTranslated)
          })
          expect(empty.map(({ table }) => getTableName(table))).toEqual([])
        }
        expect((await venue.remove(`/${path}/${id}`)).status).toBe(200)
        if (home === 'd1') expect(await readRows(venue)).not.toEqual(rows)
        // The purge must keep everything that a restore needs.
        await purgeNow(env, Date.now() + 60_000)
        expect((await venue.post(`/${path}/${id}/restore`, {})).status).toBe(200)
        expect(await show(venue, path, id)).toEqual(before)
        await purgeNow(env, Date.now() + 60_000)
        expect(await readRows(venue)).toEqual(rows)
      },
    )
  },
)
