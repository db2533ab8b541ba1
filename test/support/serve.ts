/**
 * `node test/support/serve.ts '{"port":…,"state":…,"variables":{…}}'`: runs the built Worker in workerd with the bindings of `wrangler.toml`.
 * It is what `wrangler dev` runs, without its build, its second workerd and its file watchers, which take 5 seconds of CPU time a start.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'

const project = resolve(import.meta.dirname, '../..')
const built = join(project, 'dist/worker')
const cache = join(project, 'node_modules/.cache/worker-options')

/** How a service is run. `createService` writes it, `serve.ts` reads it. */
export interface ServiceOptions {
  port: number
  /** Folder of the storages and of the registry of services. */
  state: string
  variables: Readonly<Record<string, string>>
}

/** Where services that run beside each other find one another. */
export const registryOf = (state: string) => join(state, 'registry')

/** Returns Miniflare's options for `wrangler.toml`. Kept in a file until that changes: loading wrangler takes a second of CPU time. */
async function readWorkerOptions(): Promise<Record<string, unknown>> {
  const hash = createHash('sha256').update(project)
  for (const file of ['wrangler.toml', 'package-lock.json']) hash.update(await readFile(join(project, file)))
  const file = join(cache, `${hash.digest('hex')}.json`)
  const known = await readFile(file, 'utf8').catch(() => undefined)
  if (known !== undefined) return JSON.parse(known)
  const { unstable_getMiniflareWorkerOptions: toMiniflareOptions, unstable_readConfig: readConfig } = await import(
    'wrangler'
  )
  const config = readConfig({ config: join(project, 'wrangler.toml') })
  const { workerOptions } = toMiniflareOptions(config)
  // Without the developer's own variables.
  const text = JSON.stringify({ ...workerOptions, name: config.name, bindings: config.vars })
  await mkdir(cache, { recursive: true })
  await writeFile(file, text)
  return JSON.parse(text)
}

async function serve({ port, state, variables }: ServiceOptions): Promise<void> {
  const options = await readWorkerOptions()
  const names = (await readdir(built)).filter((name) => name.endsWith('.mjs'))
  const modules = await Promise.all(
    // The first module is the entry.
    names
      .toSorted((a, b) => Number(b === 'index.mjs') - Number(a === 'index.mjs'))
      .map(async (name) => ({
        type: 'ESModule' as const,
        path: join(built, name),
        contents: await readFile(join(built, name), 'utf8'),
      })),
  )
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port,
      log: new Log(LogLevel.INFO),
      handleStructuredLogs: ({ message }) => console.log(message),
      resourcePersistencePath: join(state, 'v3'),
      unsafeDevRegistryPath: registryOf(state),
      unsafeTriggerHandlers: true,
      telemetry: { enabled: false },
      workers: [
        {
          ...options,
          modulesRoot: built,
          modules,
          bindings: { ...Object(options['bindings']), ...variables },
        },
      ],
    }),
  )
  await platform.ready
}

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? ''))
