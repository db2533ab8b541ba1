import { timingSafeEqual } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * Prints the path of warm requests through the code: the files of `src` of which a request runs a function. The application runs in
 * this process, where V8 counts calls, with SQLite in memory in place of D1. `npm run figures path` prints the numbers of files;
 * `npm run figures path create` also the files of a create, `npm run figures path -- --json` only the files, as JSON.
 */
const folder = resolve(import.meta.dirname, '..')
const sourceUrl = `${pathToFileURL(resolve(folder, 'src')).href}/`
const adminToken = 'path-admin-token'
/** Requests of a kind before the ones that are counted: they load modules, compile statements and fill the caches of an isolate. */
const warmUps = 3

/** Returns a function that lists the files of which a function was called since its last call. */
async function startCounting() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async (): Promise<string[]> => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const isRun = ({ url, functions }: (typeof result)[number]) =>
      url.startsWith(sourceUrl) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    return result
      .filter(isRun)
      .map(({ url }) => url.slice(sourceUrl.length))
      .toSorted()
  }
}

/** The part of D1 that the service uses, with all migrations applied. */
function createDatabase() {
  const sqlite = new DatabaseSync(':memory:')
  for (const file of globSync('migrations/*.sql', { cwd: folder }).toSorted()) {
    sqlite.exec(readFileSync(resolve(folder, file), 'utf8'))
  }
  const toValue = (value: unknown) =>
    typeof value === 'boolean' ? Number(value) : typeof value === 'number' || value === null ? value : String(value)
  const prepare = (sql: string, values: unknown[] = []) => ({
    bind: (...bound: unknown[]) => prepare(sql, bound),
    all: async () => ({ results: sqlite.prepare(sql).all(...values.map(toValue)) }),
  })
  async function batch(statements: ReturnType<typeof prepare>[]) {
    sqlite.exec('begin')
    try {
      const results = []
      for (const statement of statements) results.push(await statement.all())
      sqlite.exec('commit')
      return results
    } catch (error) {
      sqlite.exec('rollback')
      throw error
    }
  }
  return { withSession: () => ({ prepare, batch, getBookmark: () => null }) }
}

/** Bindings whose calls succeed: queues take messages, KV has no copies, no request exceeds a limit. */
const env = Object.assign(Object.create(null), {
  ADMIN_TOKEN: adminToken,
  PUBLIC_BASE_URL: 'https://menu.example',
  DB: createDatabase(),
  TAGS: { async get() {}, async put() {}, async delete() {} },
  ...Object.fromEntries(
    ['DELIVERIES', 'DELIVERIES_SLOW', 'SCANS', 'BACKUP_CHECKS'].map((name) => [
      name,
      { async send() {}, async sendBatch() {} },
    ]),
  ),
  ...Object.fromEntries(['REQUESTS', 'MISSES'].map((name) => [name, { limit: async () => ({ success: true }) }])),
})

/** Workers compare in constant time with a function that Node has elsewhere. */
Object.assign(crypto.subtle, {
  timingSafeEqual: (a: ArrayBuffer, b: ArrayBuffer) => timingSafeEqual(new Uint8Array(a), new Uint8Array(b)),
})

const take = await startCounting()
const { serve } = await import('../src/app/app.ts')

async function send(method: string, path: string, token: string, body?: object) {
  const behind: Promise<unknown>[] = []
  const context = Object.assign(Object.create(null), {
    waitUntil: (work: Promise<unknown>) => behind.push(work),
    props: {},
    passThroughOnException() {},
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request = new Request(new URL(path, env.PUBLIC_BASE_URL), {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const response = await serve(request, env, context)
  const text = await response.text()
  await Promise.all(behind)
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined
}

const merchant = await send('POST', '/admin/merchants', adminToken, { name: 'Venue', currency: 'EUR' })
const { key } = await send('POST', `/admin/merchants/${merchant.id}/keys`, adminToken, { mode: 'live' })
const products = `/merchants/${merchant.id}/products`
const product = await send('POST', products, key, { title: 'Tea', price: 2 })
const tag = await send('POST', `/merchants/${merchant.id}/tags`, key, {})
let price = 2
const requests = {
  create: () => send('POST', products, key, { title: 'Tea', price: 2 }),
  update: () => send('POST', `${products}/${product.id}`, key, { price: ++price }),
  retrieve: () => send('GET', `${products}/${product.id}`, key),
  list: () => send('GET', products, key),
  scan: () => send('GET', `/t/${tag.id}`, key),
}

const paths: Record<string, string[]> = {}
for (const [name, request] of Object.entries(requests)) {
  for (let warmUp = 0; warmUp < warmUps; warmUp++) await request()
  await take()
  await request()
  paths[name] = await take()
}

const [, , ...wanted] = process.argv.filter((argument) => argument !== 'path')
if (wanted.includes('--json')) console.log(JSON.stringify(paths))
else {
  console.log('| Request | Files |\n|---|---|')
  for (const [name, files] of Object.entries(paths)) {
    console.log(`| ${name} | ${files.length} |`)
    if (wanted.includes(name)) console.log(files.map((file) => `  ${file}`).join('\n'))
  }
}
