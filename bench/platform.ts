import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readD1Migrations } from '@cloudflare/vitest-plugin'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { buildWorker, findStartModules, type WorkerModule } from '../tools/cli/build/worker.ts'

const project = resolve(import.meta.dirname, '..')

export const adminToken = 'bench-admin-token'
export const guestOrigin = 'https://menu.example.com'

/** The modules of a built Worker. */
export type Bundle = readonly WorkerModule[]

/** Reads a folder with a built Worker. */
export async function readBundle(folder: string): Promise<Bundle> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mjs'))
  return Promise.all(names.map(async (name) => ({ name, contents: await readFile(join(folder, name), 'utf8') })))
}

/** Builds a Worker as for a deployment. */
export const build = async (entry: string): Promise<Bundle> =>
  (await buildWorker(entry, true)).filter(({ name }) => name.endsWith('.mjs'))

/** Compressed size of what an isolate evaluates when it starts, in bytes. */
export const getStartBytes = (bundle: Bundle) =>
  findStartModules(bundle).reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)

/** Process ids of the workerd children of this process. */
async function listWorkerds(): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? []
      return name === 'workerd' && Number(parent) === process.pid ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

const ticksPerSecond = 100
const pageBytes = 4096

/**
 * Options of the queue consumers, as in wrangler.toml. A batch of scans is smaller than the number of tags of a day, so that each scan is of another
 * tag and writes its own row, as in use, where a batch has the scans of many merchants.
 */
const consumerOptions = {
  imports: { maxBatchSize: 1, maxBatchTimeout: 0 },
  deliveries: { maxBatchSize: 5, maxBatchTimeout: 0 },
  scans: { maxBatchSize: 20, maxBatchTimeout: 2 },
  moves: { maxBatchSize: 1, maxBatchTimeout: 0 },
} as const
type ConsumedQueue = keyof typeof consumerOptions

/** Starts a Worker on workerd with storages in a folder. Requests bypass Miniflare's proxy. */
export async function start(
  bundle: Bundle,
  folder: string,
  {
    isInspected = false,
    consumers = [],
    hasObjects = false,
  }: { isInspected?: boolean; consumers?: readonly ConsumedQueue[]; hasObjects?: boolean } = {},
) {
  const before = await listWorkerds()
  const platform = new Miniflare({
    ...convertV4MiniflareOptions({
      name: 'bench',
      // The first module is the entry.
      modules: [...bundle]
        .sort((a, b) => Number(b.name === 'index.mjs') - Number(a.name === 'index.mjs'))
        .map(({ name, contents }) => ({ type: 'ESModule' as const, path: name, contents })),
      compatibilityDate: '2026-10-01',
      compatibilityFlags: ['global_fetch_strictly_public'],
      bindings: { ADMIN_TOKEN: adminToken, ALLOW_INSECURE_WEBHOOKS: '1', PUBLIC_BASE_URL: guestOrigin },
      d1Databases: { DB: 'bench' },
      kvNamespaces: { TAGS: 'tags' },
      // Without consumers, a measurement ends with the response and its background work.
      queueProducers: {
        DELIVERIES: { queueName: 'deliveries' },
        DELIVERIES_SLOW: { queueName: 'deliveries-slow' },
        SCANS: { queueName: 'scans' },
        IMPORTS: { queueName: 'imports' },
        MOVES: { queueName: 'moves' },
      },
      r2Buckets: { BACKUPS: 'backups', MEDIA: 'media' },
      // The control has no class for objects.
      ...(hasObjects ? { durableObjects: { HOMES: { className: 'MerchantHome', useSQLite: true } } } : {}),
      queueConsumers: Object.fromEntries(consumers.map((name) => [name, consumerOptions[name]])),
      analyticsEngineDatasets: { SCAN_POINTS: { dataset: 'scans' } },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      ...(isInspected ? { inspectorPort: 0 } : {}),
    }),
    resourcePersistencePath: folder,
  })
  await platform.ready
  const { port } = await platform.unsafeGetDirectURL('bench')
  const [pid] = (await listWorkerds()).filter((pid) => !before.includes(pid))
  const stat = async () =>
    (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ') ?? []
  return {
    port: Number(port),
    database: () => platform.getD1Database('DB', 'bench'),
    objects: () => platform.getDurableObjectNamespace('HOMES', 'bench'),
    names: () => platform.getKVNamespace('TAGS', 'bench'),
    /** CPU time of the Worker and its storages, in seconds. */
    async cpuSeconds() {
      const fields = await stat()
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    /** Memory of the Worker and its storages, in megabytes. */
    memory: async () => (Number((await stat())[21]) * pageBytes) / 2 ** 20,
    /** Address of workerd's inspector. */
    inspector: () => platform.getInspectorURL(),
    stop: () => platform.dispose(),
  }
}
export type Running = Awaited<ReturnType<typeof start>>

/** Applies the migrations to an empty database. */
export async function migrate({ database }: Running): Promise<void> {
  const db = await database()
  for (const { queries } of await readD1Migrations(join(project, 'migrations'))) {
    for (const query of queries) await db.prepare(query).run()
  }
}

/** Copies the storages of a folder, and replaces the target. */
export async function copy(from: string, to: string): Promise<string> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  await cp(from, to, { recursive: true })
  return to
}
