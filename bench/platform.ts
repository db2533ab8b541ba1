import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readD1Migrations } from '@cloudflare/vitest-plugin'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const project = resolve(import.meta.dirname, '..')
const wrangler = join(project, 'node_modules/wrangler/bin/wrangler.js')

export const adminToken = 'bench-admin-token'
export const guestOrigin = 'https://menu.example.com'

/** A bundled Worker: its code, and the texts that it imports. */
export interface Bundle {
  code: string
  texts: readonly { path: string; contents: string }[]
}

/** Reads the output folder of `wrangler deploy --dry-run`. */
export async function readBundle(folder: string): Promise<Bundle> {
  const names = await readdir(folder)
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const texts = names
    .filter((name) => name.endsWith('.sql'))
    .map(async (path) => ({ path, contents: await read(path) }))
  return { code: await read(names.find((name) => name.endsWith('.js')) ?? ''), texts: await Promise.all(texts) }
}

/** Bundles a Worker as for a deployment. */
export async function build(entry: string, folder: string): Promise<Bundle> {
  const config = join(project, entry.startsWith('bench/') ? 'bench/wrangler.toml' : 'wrangler.toml')
  await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', entry, '--config', config, '--dry-run', '--minify', '--outdir', folder],
    { cwd: project, env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' } },
  )
  return readBundle(folder)
}

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

/** Options of the queue consumers, as in wrangler.toml. */
const consumerOptions = {
  imports: { maxBatchSize: 1, maxBatchTimeout: 0 },
  deliveries: { maxBatchSize: 5, maxBatchTimeout: 0 },
  scans: { maxBatchSize: 100, maxBatchTimeout: 2 },
} as const
type ConsumedQueue = keyof typeof consumerOptions

/** Starts a Worker on workerd with storages in a folder. Requests bypass Miniflare's proxy. */
export async function start(
  { code, texts }: Bundle,
  folder: string,
  { isInspected = false, consumers = [] }: { isInspected?: boolean; consumers?: readonly ConsumedQueue[] } = {},
) {
  const before = await listWorkerds()
  const platform = new Miniflare({
    ...convertV4MiniflareOptions({
      name: 'bench',
      modules: [
        { type: 'ESModule', path: 'index.js', contents: code },
        ...texts.map((text) => ({ type: 'Text' as const, ...text })),
      ],
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
      },
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
