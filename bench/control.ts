/**
 * The control of the benchmark: the minimum cost of each operation. A bare Worker over the same bindings that sends the same statements
 * in the same batches, without a router, validation, error handling or headers. `test/bench/control.test.ts` compares both.
 */

import type { Bindings } from '../src/platform/env.ts'
import { createId } from '../src/platform/lib/ids.ts'
import { indexTerms, matchExpression } from '../src/platform/lib/search-terms.ts'
import type { Scan } from '../src/platform/messages.ts'
import * as sql from './statements.ts'

type Value = string | number | null
type Row = Record<string, unknown>
interface Account {
  key: string
  merchant: string
  test: number
}

const modes = { live: 'l', test: 't' } as const
const accounts = new Map<string, Account>()

/** The account of a key, read from D1 once and then cached, as in the service. */
async function getAccount(db: D1DatabaseSession, authorization: string): Promise<Account> {
  const known = accounts.get(authorization)
  if (known) return known
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(authorization.slice('Bearer '.length)))
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const row = await db.prepare('select * from keys where hash = ?').bind(hash).first<Row>()
  const account = { key: String(row?.['id']), merchant: String(row?.['merchant_id']), test: Number(row?.['test_mode']) }
  accounts.set(authorization, account)
  return account
}

/** A product in responses. */
function toView(row: Row): Row {
  const shown: Row = {
    id: row['id'],
    testMode: row['test_mode'] === 1,
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
    title: row['title'],
    price: row['price'],
    visible: row['visible'] === 1,
    taxable: row['taxable'] === 1,
    useCustomTaxRate: row['use_custom_tax_rate'] === 1,
    manageStock: row['manage_stock'] === 1,
    type: row['type'],
    images: JSON.parse(String(row['images'])),
    metadata: JSON.parse(String(row['metadata'])),
    modifiers: JSON.parse(String(row['modifiers'])),
  }
  for (const name of ['description', 'calories', 'upc', 'sku']) if (row[name] !== null) shown[name] = row[name]
  if (row['tax_rate'] !== null) shown['taxRate'] = row['tax_rate']
  if (row['stock_quantity'] !== null) shown['stockQuantity'] = row['stock_quantity']
  return shown
}

function toMenuView(row: Row): Row {
  return {
    id: row['id'],
    testMode: row['test_mode'] === 1,
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
    title: row['title'],
    description: row['description'] ?? undefined,
    showSectionNavigation: row['show_section_navigation'] === 1,
    visible: row['visible'] === 1,
    allDayMenu: row['all_day_menu'] === 1,
    branding: JSON.parse(String(row['branding'])),
    sections: JSON.parse(String(row['sections'])),
  }
}

/** Enqueues the deliveries that a batch has inserted, after the response. */
function enqueueDeliveries(env: Bindings, context: ExecutionContext, merchant: string, rows: readonly Row[]) {
  if (rows.length === 0) return
  const messages = rows.map(({ webhook, event }) => ({
    body: { merchant, webhook: Number(webhook), event: String(event), n: 1 },
    delaySeconds: 0,
  }))
  context.waitUntil(env.DELIVERIES.sendBatch(messages))
}

const redirect = (tag: string) =>
  new Response(null, { status: 302, headers: { location: `https://order.example.com/?tag=${tag}` } })

/** Whether this isolate counts a scan. */
let isCounting = false

/** Counts a scan after its redirect, as the service does: in the database, or with a message while another one is being counted. */
async function countScan(env: Bindings, scan: Scan): Promise<void> {
  if (isCounting) return void (await env.SCANS.send(scan))
  isCounting = true
  await new Promise((resolve) => setTimeout(resolve))
  const time = new Date(scan.at)
  const scans = JSON.stringify([{ ...scan, day: time.toISOString().slice(0, 10), hour: time.getUTCHours() }])
  const db = env.DB.withSession('first-unconstrained')
  await db.batch(sql.countScans.map((text) => db.prepare(text).bind(scans)))
  isCounting = false
}

/** Records a scan after its redirect: a data point, and its count. */
function recordScan(env: Bindings, context: ExecutionContext, merchant: string, tag: string) {
  env.SCAN_POINTS?.writeDataPoint({ indexes: [merchant], blobs: [tag, 'link'], doubles: [1] })
  const scan = {
    kind: 'scan',
    id: createId('scan'),
    merchant,
    tag,
    at: Date.now(),
    channel: 'link',
    timezone: 'UTC',
  } as const
  context.waitUntil(countScan(env, scan))
}

/** `/kv/:name`: reads KV once, redirects, and records the scan. */
async function scan(env: Bindings, context: ExecutionContext, name: string): Promise<Response> {
  const tag = await env.TAGS.get<{ id: string; merchantId: string }>(`t:${name}`, { type: 'json', cacheTtl: 30 })
  recordScan(env, context, tag?.merchantId ?? '', tag?.id ?? '')
  return redirect(tag?.id ?? '')
}

async function change(
  env: Bindings,
  context: ExecutionContext,
  db: D1DatabaseSession,
  { merchant }: Account,
  statements: readonly [string, ...Value[]][],
): Promise<Row[][]> {
  const all = [[sql.guardHome, merchant] satisfies [string, ...Value[]], ...statements]
  const results = await db.batch<Row>(all.map(([text, ...values]) => db.prepare(text).bind(...values)))
  enqueueDeliveries(env, context, merchant, results.at(-1)?.results ?? [])
  return results.slice(1).map((result) => result.results)
}

async function handle(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const [, area = '', name = '', collection = '', id] = pathname.split('/')
  if (area === '302') return redirect('tag')
  if (area === 'counted') {
    recordScan(env, context, 'merchant', 'tag')
    return redirect('tag')
  }
  if (area === 'kv') return scan(env, context, name)
  const db = env.DB.withSession('first-unconstrained')
  const account = await getAccount(db, request.headers.get('authorization') ?? '')
  const { key, merchant, test } = account
  const now = Math.floor(Date.now() / 1000)
  const event = createId('evt')
  const cause = JSON.stringify({ actor: key, request: createId('req') })
  const toAuditEntry = (operation: string, object: string): [string, ...Value[]] => [
    sql.insertAuditEntry,
    ...[merchant, test, createId('aud'), now, key, createId('req'), `products.${operation}`, object],
  ]
  const fanOut: [string, ...Value[]] = [sql.insertDeliveries, now, now + 30, merchant, event, event]

  if (collection === 'events') {
    const { type, data } = await request.json<{ type: string; data: object }>()
    const row = JSON.stringify(data)
    await change(env, context, db, account, [
      [sql.publish, test, event, merchant, test, type, Date.now(), row, merchant],
      fanOut,
    ])
    return Response.json({ id: event }, { status: 202 })
  }
  if (request.method === 'GET' && id !== undefined) {
    const row = await db.prepare(sql.retrieve(collection)).bind(merchant, test, id).all<Row>()
    return Response.json(row.results.map(collection === 'menus' ? toMenuView : toView)[0])
  }
  if (request.method === 'GET') {
    const [limit, q] = [Number(searchParams.get('limit')), searchParams.get('q')]
    const [match, rows] = [matchExpression(merchant, modes.live, q ?? '') ?? '', limit + 1]
    const [page] = await db.batch<Row>(
      q === null
        ? [db.prepare(sql.list).bind(merchant, test, rows)]
        : [db.prepare(sql.search).bind(match, rows, merchant, test, rows)],
    )
    return Response.json(page?.results.slice(0, limit).map(toView))
  }
  if (request.method === 'DELETE') {
    const one: [Value, Value, Value] = [merchant, test, id ?? '']
    const ids = JSON.stringify([id])
    const at = Date.now()
    const results = await change(env, context, db, account, [
      [sql.insertEvent('deleted', 'version + 1'), event, at, null, null, cause, ...one],
      ...sql.pruning.flatMap(([inserted = '', updated = '', unlinked = '']): [string, ...Value[]][] => [
        [inserted, event, at, ids, null, ...one],
        [updated, ids, now, ...one],
        [unlinked, ...one],
      ]),
      [sql.remove, ...one],
      [sql.insertDeletionEntry, ...toAuditEntry('delete', id ?? '').slice(1), ...one, ...one],
      fanOut,
    ])
    const [object] = (results.at(-3) ?? []).map(toView)
    return Response.json({ id, object, message: 'Product deleted', deleted: true })
  }

  const body = await request.json<Row>()
  if (id !== undefined) {
    const one: [Value, Value, Value] = [merchant, test, id]
    const { results } = await db
      .prepare(sql.retrieve('products'))
      .bind(...one)
      .all<Row>()
    const [row = {}] = results
    const updatedAt = Math.max(now, Number(row['updated_at']) + 1)
    const [price, previous] = [Number(body['price']), JSON.stringify({ price: row['price'] })]
    await change(env, context, db, account, [
      [sql.updatePrice, price, updatedAt, Number(row['version']), ...one],
      toAuditEntry('update', id),
      [sql.insertEvent('updated', 'version'), event, Date.now(), previous, null, cause, ...one],
      fanOut,
    ])
    return Response.json(toView({ ...row, price, updated_at: updatedAt }))
  }
  const newId = createId('prod')
  const one: [Value, Value, Value] = [merchant, test, newId]
  const text = (key: string) => (typeof body[key] === 'string' ? String(body[key]) : null)
  const whole = (key: string) => (typeof body[key] === 'number' ? Number(body[key]) : null)
  const flag = (key: string, otherwise: number) => (body[key] === undefined ? otherwise : Number(body[key]))
  const json = (key: string) => JSON.stringify(body[key] ?? [])
  const row: Row = {
    id: newId,
    merchant_id: merchant,
    test_mode: test,
    created_at: now,
    updated_at: now,
    version: 1,
    title: text('title'),
    price: whole('price'),
    description: text('description'),
    visible: flag('visible', 1),
    taxable: flag('taxable', 1),
    use_custom_tax_rate: flag('useCustomTaxRate', 0),
    tax_rate: whole('taxRate'),
    calories: whole('calories'),
    manage_stock: flag('manageStock', 0),
    stock_quantity: whole('stockQuantity'),
    type: text('type') ?? 'SIMPLE',
    upc: text('upc'),
    sku: text('sku'),
    images: json('images'),
    metadata: json('metadata'),
    modifiers: json('modifiers'),
  }
  const others = ['description', 'sku', 'upc'].map((key) => text(key) ?? '')
  const words = indexTerms(merchant, modes.live, { names: [text('title') ?? ''], others })
  const values = Object.values(row).map(
    (value): Value => (typeof value === 'string' || typeof value === 'number' ? value : null),
  )
  await change(env, context, db, account, [
    [sql.insertProduct, ...values],
    toAuditEntry('create', newId),
    ...(row['modifiers'] === '[]'
      ? []
      : [[sql.insertModifiers, ...one, String(row['modifiers']), merchant, test] satisfies [string, ...Value[]]]),
    [sql.insertWords, ...one, words],
    [sql.insertEvent('created', 'version'), event, Date.now(), null, null, cause, ...one],
    fanOut,
  ])
  return Response.json(toView(row), { status: 201 })
}

export default { fetch: handle } satisfies ExportedHandler<Bindings>
