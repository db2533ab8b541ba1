import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The folder of this program: the build puts the Worker, its pages and the migrations beside it. */
const folder = import.meta.dirname
export const migrationFolder = resolve(folder, 'migrations')
export const pagesFolder = resolve(folder, 'public')
export const workerFolder = resolve(folder, 'worker')

/** Parts of the options of the Worker that the server uses. */
export interface WorkerOptions {
  name: string
  assets: { binding: string }
  d1Databases: { DB: { id: string } }
  ratelimits: Record<string, { namespace_id: string; simple: { limit: number; period: 10 | 60 } }>
}

/** The options of the Worker for Miniflare, which the build computes from `wrangler.toml`. */
export async function readWorkerOptions(): Promise<WorkerOptions> {
  return JSON.parse(await readFile(resolve(folder, 'worker.json'), 'utf8'))
}

/** The modules of the Worker. The first one is the entry. */
export async function readModules() {
  const names = (await readdir(workerFolder)).filter((name) => name.endsWith('.mjs'))
  return Promise.all(
    names
      .toSorted((a, b) => Number(b === 'index.mjs') - Number(a === 'index.mjs'))
      .map(async (name) => ({
        type: 'ESModule' as const,
        path: join(workerFolder, name),
        contents: await readFile(join(workerFolder, name), 'utf8'),
      })),
  )
}
