/**
 * The control of the benchmark: the minimum cost of each operation. A bare Worker over the same bindings that sends the same statements
 * in the same batches, without a router, validation, error handling or headers. `test/bench/control.test.ts` compares both.
 */

import type { Bindings } from '../src/platform/env.ts'
import { createId } from '../src/platform/lib/ids.ts'
import { matchExpression } from '../src/platform/lib/search-terms.ts'
import type { Scan } from '../src/platform/messages.ts'
import {
  type Account,
  type BoundText,
  create,
  list,
  publish,
  type Row,
  remove,
  retrieve,
  toHash,
  toView,
  updatePrice,
} from './control-statements.ts'
import * as sql from './statements.ts'

const accounts = new Map<string, Account>()

/** The account of a key, read from D1 once and then cached, as in the service. */
async function getAccount(db: D1DatabaseSession, authorization: string): Promise<Account> {
  const known = accounts.get(authorization)
  if (known) return known
  const hash = await toHash(authorization.slice('Bearer '.length))
  const row = await db.prepare('select * from keys where hash = ?').bind(hash).first<Row>()
  const account = { key: String(row?.['id']), merchant: String(row?.['merchant_id']), test: Number(row?.['test_mode']) }
  accounts.set(authorization, account)
  return account
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
  statements: readonly BoundText[],
): Promise<Row[][]> {
  const all = [[sql.guardHome, merchant] satisfies BoundText, ...statements]
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
  const send = async ([text, ...values]: BoundText) => {
    const { results } = await db
      .prepare(text)
      .bind(...values)
      .all<Row>()
    return results
  }

  if (collection === 'events') {
    const { response, statements } = publish(account, await request.json<{ type: string; data: object }>())
    await change(env, context, db, account, statements)
    return Response.json(response, { status: 202 })
  }
  if (request.method === 'GET' && id !== undefined) {
    const rows = await send(retrieve(account, collection, id))
    return Response.json(rows.map(collection === 'menus' ? toMenuView : toView)[0])
  }
  if (request.method === 'GET') {
    const [limit, q] = [Number(searchParams.get('limit')), searchParams.get('q')]
    const { merchant, test } = account
    const match = q === null ? '' : (matchExpression(merchant, 'l', q) ?? '')
    const [text, ...values]: BoundText =
      q === null ? list(account, limit) : [sql.search, match, limit + 1, merchant, test, limit + 1]
    const [page] = await db.batch<Row>([db.prepare(text).bind(...values)])
    return Response.json(page?.results.slice(0, limit).map(toView))
  }
  if (request.method === 'DELETE') {
    const results = await change(env, context, db, account, remove(account, id ?? '').statements)
    const [object] = (results.at(-3) ?? []).map(toView)
    return Response.json({ id, object, message: 'Product deleted', deleted: true })
  }

  const body = await request.json<Row>()
  if (id !== undefined) {
    const [row = {}] = await send(retrieve(account, 'products', id))
    const { response, statements } = updatePrice(account, row, Number(body['price']))
    await change(env, context, db, account, statements)
    return Response.json(response)
  }
  const { response, statements } = create(account, body)
  await change(env, context, db, account, statements)
  return Response.json(response, { status: 201 })
}

export default { fetch: handle } satisfies ExportedHandler<Bindings>
