import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { applyLocalMigrations } from '../../tools/cli/migration/apply.ts'
import { freePort } from './receiver.ts'
import type { ServiceOptions } from './serve.ts'

const folder = resolve(import.meta.dirname, '../..')
export const adminToken = 'e2e-admin-token'
const environment = { ...process.env, SKIP_LOCAL_SETUP: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }
const startupMs = 60_000

/** Calls to a service that runs at an origin. */
export function createCalls(origin: string, token = adminToken) {
  async function call(
    method: string,
    path: string,
    authorization: string,
    json?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${authorization}`, 'content-type': 'application/json', ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** A merchant of its own, and a live key to it. */
  async function createAccount(more: { home?: string } = {}): Promise<{ id: string; key: string }> {
    const fields = { name: 'Venue', currency: 'EUR', ...more }
    const { body: merchant } = await call('POST', '/admin/merchants', token, fields)
    const { body } = await call('POST', `/admin/merchants/${merchant.id}/keys`, token, { mode: 'live' })
    return { id: merchant.id, key: body.key }
  }

  return {
    origin,
    adminToken: token,
    call,
    createAccount,
    /** Runs the cron trigger, as the platform does once a minute. */
    async runScheduled() {
      const response = await fetch(`${origin}/cdn-cgi/local/scheduled`)
      if (!response.ok) throw new Error(`the cron trigger returned ${response.status}`)
      await response.text()
    },
    async createVenue(more: { home?: string } = {}) {
      const { id, key } = await createAccount(more)
      const request = (method: string, path: string, json?: unknown) =>
        call(method, `/merchants/${id}${path}`, key, json)
      return {
        get: (path: string) => request('GET', path),
        post: (path: string, json: unknown) => request('POST', path, json),
        createWebhook: async (url: string, events = ['product.created']) =>
          (await request('POST', '/webhooks', { title: 'Till', url, events })).body,
      }
    },
  }
}
export type Calls = ReturnType<typeof createCalls>

/** Contains the data of services and copies of the project. Tests set it to a folder in memory. */
export const dataFolder = process.env['SERVICE_DATA'] ?? tmpdir()

/** Creates a folder with a local database that has all migrations. */
export async function createMigratedState(): Promise<string> {
  const state = await mkdtemp(join(dataFolder, 'migrated-'))
  await applyLocalMigrations(state)
  return state
}

/** Builds the Worker, once in a process. Before tests it is built. */
let built: Promise<unknown> | undefined
const build = () =>
  process.env['VITEST'] === undefined
    ? promisify(execFile)(process.execPath, ['tools/cli/build/prepare-worker.ts', '--if-changed'], {
        cwd: folder,
        env: environment,
      })
    : Promise.resolve()

/**
 * The Worker in workerd, with real local D1 and queues (`serve.ts`), in a folder of its own: a copy of `migrated`, or a new one.
 * `variables` are added to its own.
 */
export async function createService(migrated?: string, variables: Readonly<Record<string, string>> = {}) {
  const state = migrated === undefined ? await createMigratedState() : await mkdtemp(join(dataFolder, 'service-'))
  if (migrated !== undefined) await cp(migrated, state, { recursive: true })
  built ??= build()
  await built
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''

  async function start() {
    // Browsers do not accept an IP address as the host of a passkey.
    const own = { ADMIN_TOKEN: adminToken, ALLOW_INSECURE_WEBHOOKS: '1', CONSOLE_ORIGIN: `http://localhost:${port}` }
    const options: ServiceOptions = { port, state, variables: { ...own, ...variables } }
    // A process group of its own, so that all of it can be killed at once.
    child = spawn(process.execPath, ['test/support/serve.ts', JSON.stringify(options)], {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    for (const end = Date.now() + startupMs; Date.now() < end; await wait(100)) {
      const health = await fetch(`${origin}/health`).catch(() => undefined)
      await health?.text()
      if (health?.ok) return
      if (child.exitCode !== null) break
    }
    throw new Error(`the service did not start:\n${output}`)
  }

  /** Ends every process of it, as a power cut would. */
  async function kill() {
    const { pid } = child ?? {}
    if (child === undefined || pid === undefined) return
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      process.kill(-pid, 'SIGKILL')
      await ended
    }
    child = undefined
  }

  await start()
  return {
    ...createCalls(origin),
    /** The folder that holds its data. */
    state,
    start,
    kill,
    /** Id of its group of processes. */
    pid: () => child?.pid,
    output: () => output,
    async close() {
      await kill()
      await rm(state, { recursive: true, force: true })
    },
  }
}

/** Ends a service together with the command that runs it, also when that command is ended. */
export function closeAtEnd(service: Service): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => service.close().finally(() => process.exit(1)))
  }
}
/** `crashes` are ways to end parts of a service; without them, all of it is killed. */
export type Service = Awaited<ReturnType<typeof createService>> & { crashes?: readonly (() => Promise<unknown>)[] }
