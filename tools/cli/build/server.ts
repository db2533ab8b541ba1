import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { projectFolder } from '../project-folder.ts'
import './prepare-worker.ts'

const record = 'built.json'
const readText = (file: string) => readFile(file, 'utf8').catch(() => '')
const target = resolve(projectFolder, 'packages/server/dist')

/** Miniflare's options for `wrangler.toml`, without the folders of this machine. */
async function readWorkerOptions(): Promise<string> {
  // It would print to the output of a command that packs the package.
  process.env['WRANGLER_LOG'] = 'none'
  const wrangler = await import('wrangler')
  const config = wrangler.unstable_readConfig({ config: resolve(projectFolder, 'wrangler.toml') })
  const { rootPath, assets, ...options } = wrangler.unstable_getMiniflareWorkerOptions(config).workerOptions
  const { directory, ...pages } = Object(assets)
  return JSON.stringify({ ...options, assets: pages, name: config.name, bindings: {} })
}

/** Copies the built Worker, its pages and the migrations into the package of the server, and bundles the program. */
async function writeServer(): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(join(target, 'worker'), { recursive: true })
  const built = resolve(projectFolder, 'dist/worker')
  const modules = (await readdir(built)).filter((name) => name.endsWith('.mjs'))
  await Promise.all(modules.map((name) => cp(join(built, name), join(target, 'worker', name))))
  const migrations = (await readdir(resolve(projectFolder, 'migrations'))).filter((name) => name.endsWith('.sql'))
  await Promise.all(
    migrations.map((name) => cp(resolve(projectFolder, 'migrations', name), join(target, 'migrations', name))),
  )
  await cp(resolve(projectFolder, 'public'), join(target, 'public'), { recursive: true })
  await writeFile(join(target, 'worker.json'), await readWorkerOptions())
  await build({
    entryPoints: [resolve(projectFolder, 'packages/server/src/main.ts')],
    outfile: join(target, 'main.js'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    external: ['miniflare'],
    logLevel: 'warning',
  })
  await cp(resolve(projectFolder, 'dist', record), join(target, record))
}

/** Whether the package has the build of the present sources. A server may be reading its files. */
const isCurrent = async () =>
  (await readText(join(target, record))) === (await readText(resolve(projectFolder, 'dist', record)))

if (!(await isCurrent())) await writeServer()
